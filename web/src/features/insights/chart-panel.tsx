import { type ReactNode, useId } from 'react';
import styles from './chart-panel.module.css';
import { type Detail, heightOf, placeOf, type Scale, tickLabels } from './chart-scale.ts';

type PanelProps = {
  scale: Scale;
  axis: (value: number, detail: Detail) => string;
  /** The legend, with the values at the current point. */
  head: ReactNode;
  tall?: boolean;
  children: ReactNode;
};

/** A chart with grid lines and their labels. The drawing stretches to the full width; the texts keep their shape. */
export function ChartPanel({ scale, axis, head, tall = false, children }: PanelProps) {
  const labels = tickLabels(scale.ticks, axis);
  return (
    <span className={styles.panel}>
      <span className={styles.head}>{head}</span>
      <span className={tall ? styles.tall : styles.field}>
        {scale.ticks.map((value, index) => (
          <span
            key={value}
            className={value === 0 ? styles.zero : styles.line}
            style={{ insetBlockEnd: `${heightOf(value, scale) * 100}%` }}
          >
            <span className={styles.value}>{labels[index]}</span>
          </span>
        ))}
        {children}
      </span>
    </span>
  );
}

const SIDE = 1_000;

/** A line through the values. The area below it is filled when the scale starts at zero. */
export function Line({ values, scale, tone }: { values: readonly number[]; scale: Scale; tone: 'plum' | 'amber' }) {
  const wash = useId();
  const points = values.map((value, index) => {
    const x = placeOf(index, values.length, 'line') * SIDE;
    return `${round(x)} ${round((1 - heightOf(value, scale)) * SIDE)}`;
  });
  return (
    <svg viewBox={`0 0 ${SIDE} ${SIDE}`} preserveAspectRatio="none" className={styles[tone]} aria-hidden="true">
      <linearGradient id={wash} x1="0" y1="0" x2="0" y2="1">
        <stop className={styles.strong} offset="0" />
        <stop className={styles.faint} offset="1" />
      </linearGradient>
      {scale.min === 0 && <path d={`M0 ${SIDE}L${points.join('L')}L${SIDE} ${SIDE}Z`} fill={`url(#${wash})`} />}
      <path d={`M${points.join('L')}`} className={styles.stroke} vectorEffect="non-scaling-stroke" />
    </svg>
  );
}

/** Marks the current point on its line. */
export function Dot({
  index,
  values,
  scale,
  tone,
}: {
  index: number;
  values: readonly number[];
  scale: Scale;
  tone: 'plum' | 'amber';
}) {
  const place = {
    insetInlineStart: `${placeOf(index, values.length, 'line') * 100}%`,
    insetBlockEnd: `${heightOf(values[index] ?? 0, scale) * 100}%`,
  };
  return <span className={`${styles.dot} ${styles[tone]}`} style={place} />;
}

/** One bar per value, upwards or downwards from the zero line. */
export function Bars({ values, scale, tone }: { values: readonly number[]; scale: Scale; tone: 'plum' | 'amber' }) {
  const slot = SIDE / values.length;
  const gap = slot * (values.length > 90 ? 0 : values.length > 15 ? 0.22 : 0.45);
  const zero = heightOf(0, scale);
  return (
    <svg viewBox={`0 0 ${SIDE} ${SIDE}`} preserveAspectRatio="none" className={styles[tone]} aria-hidden="true">
      {values.map((value, index) => {
        const height = heightOf(value, scale);
        return (
          value !== 0 && (
            <rect
              // biome-ignore lint/suspicious/noArrayIndexKey: a bar is identified by its position
              key={index}
              className={styles.bar}
              x={round(index * slot + gap / 2)}
              width={round(slot - gap)}
              y={round((1 - Math.max(height, zero)) * SIDE)}
              height={round(Math.abs(height - zero) * SIDE)}
            />
          )
        );
      })}
    </svg>
  );
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
