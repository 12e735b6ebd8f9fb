import { type KeyboardEvent, type PointerEvent, type ReactNode, useState } from 'react';
import { useWords } from '../../words/words.tsx';
import styles from './chart.module.css';
import { namedPoints, placeOf, pointAt } from './chart-scale.ts';

type ChartProps = {
  label: string;
  kind: 'line' | 'bars';
  count: number;
  /** Texts for a point: `speak` for screen readers, `title` above the chart. */
  speak: (index: number) => string;
  title: (index: number) => string;
  /** The short label of a point on the time axis. */
  tick: (index: number) => string;
  /** Renders the stacked panels for the current point: the chosen one, or else the last. */
  children: (index: number) => ReactNode;
};

const FAR = 10;

/**
 * Panels with a shared time axis, which runs in reading direction. The chart is one tab stop: arrow keys, mouse or
 * finger move from point to point, and screen readers announce each point.
 */
export function Chart({ label, kind, count, speak, title, tick, children }: ChartProps) {
  const { dir, say } = useWords();
  const [chosen, setChosen] = useState<number | null>(null);
  const index = Math.min(chosen ?? count - 1, count - 1);
  const at = (place: number) => `${place * 100}%`;

  function point({ currentTarget, clientX }: PointerEvent): void {
    const { left, width } = currentTarget.getBoundingClientRect();
    const place = (clientX - left) / width;
    setChosen(pointAt(dir === 'rtl' ? 1 - place : place, count, kind));
  }

  function press(event: KeyboardEvent): void {
    const forward = dir === 'rtl' ? 'ArrowLeft' : 'ArrowRight';
    const moves: Record<string, number> = {
      [forward]: 1,
      [forward === 'ArrowRight' ? 'ArrowLeft' : 'ArrowRight']: -1,
      ArrowUp: 1,
      ArrowDown: -1,
      PageUp: FAR,
      PageDown: -FAR,
      Home: -count,
      End: count,
    };
    const move = moves[event.key];
    if (move === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    setChosen(Math.min(count - 1, Math.max(0, index + move)));
  }

  return (
    <div className={styles.chart}>
      <p className={styles.title} aria-hidden="true">
        {title(index)}
      </p>
      <div
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-description={say('insights.keys')}
        aria-orientation="horizontal"
        aria-valuemin={0}
        aria-valuemax={count - 1}
        aria-valuenow={index}
        aria-valuetext={speak(index)}
        className={styles.plot}
        onKeyDown={press}
        onPointerMove={point}
        onPointerDown={point}
        onPointerLeave={() => setChosen(null)}
        onBlur={() => setChosen(null)}
      >
        {children(index)}
        <span
          className={kind === 'bars' ? styles.slot : styles.cursor}
          data-chosen={chosen !== null || undefined}
          style={
            kind === 'bars'
              ? { insetInlineStart: at(index / count), width: at(1 / count) }
              : { insetInlineStart: at(placeOf(index, count, kind)) }
          }
        />
        <span className={styles.ticks}>
          {namedPoints(count).map((named) => (
            <span key={named} className={styles.tick} style={{ insetInlineStart: at(placeOf(named, count, kind)) }}>
              {tick(named)}
            </span>
          ))}
        </span>
      </div>
    </div>
  );
}
