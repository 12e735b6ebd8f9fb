import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, memo, type Ref, useId } from 'react';
import { useWords } from '../../words/words.tsx';
import { fractionOf, type Moment, momentForKey, type Span, snapToSpan, ticksIn } from './instant.ts';
import { instantText, tickText } from './instant-text.ts';
import { type Activity, activityQuery } from './time-machine-query.ts';
import styles from './time-slider.module.css';

type SliderProps = {
  ref: Ref<HTMLInputElement>;
  span: Span;
  shown: Moment;
  narrow: boolean;
  onMove: (moment: Moment) => void;
  onGrab: () => void;
  onRelease: () => void;
};

/** A slider from the first movement to now. Bars above its line show how many units moved each day. */
export function TimeSlider({ ref, span, shown, narrow, onMove, onGrab, onRelease }: SliderProps) {
  const { say, dir, locale } = useWords();
  const time = shown ?? span.now;

  function onKeyDown(event: KeyboardEvent): void {
    if (event.altKey || event.metaKey || event.ctrlKey) return;
    const to = momentForKey(span, shown, event.key, dir);
    if (to === undefined) return;
    event.preventDefault();
    onRelease();
    onMove(to);
  }

  return (
    <div className={styles.slider}>
      <TimeScale span={span} fraction={fractionOf(span, time)} narrow={narrow} />
      <input
        ref={ref}
        type="range"
        className={styles.input}
        aria-label={say('timeMachine.slider')}
        aria-valuetext={shown === null ? say('timeMachine.now') : instantText(shown, locale)}
        min={span.first}
        max={span.now}
        step="any"
        value={time}
        onChange={({ target }) => onMove(snapToSpan(span, target.valueAsNumber))}
        onKeyDown={onKeyDown}
        onPointerDown={onGrab}
        onPointerUp={onRelease}
        onPointerCancel={onRelease}
      />
    </div>
  );
}

type ScaleProps = { span: Span; fraction: number; narrow: boolean };

/**
 * The scale of the slider with its activity bars. It is hidden from screen readers, which read the slider's own texts.
 */
const TimeScale = memo(function TimeScale({ span, fraction, narrow }: ScaleProps) {
  const { say, locale } = useWords();
  const { data: activity = [] } = useQuery(activityQuery(span));
  const passed = useId();
  const ticks = ticksIn(span, narrow ? 40 : 130).at;
  const named = ticksIn(span, narrow ? 3 : 9);
  const [first, last] = [tickText(span.first, 'day', locale), say('timeMachine.now')];
  const labels = named.at.filter((at) => {
    const along = fractionOf(span, at);
    return along > roomOf(first, narrow) && along < 1 - roomOf(last, narrow);
  });
  return (
    <div className={styles.scale} aria-hidden="true">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        className={styles.activity}
        aria-hidden="true"
        focusable="false"
      >
        <linearGradient id={passed} gradientUnits="userSpaceOnUse" x1="0" x2={WIDTH} y1="0" y2="0">
          <stop offset={fraction} className={styles.before} />
          <stop offset={fraction} className={styles.after} />
        </linearGradient>
        <path d={activityPath(span, activity)} fill={`url(#${passed})`} />
      </svg>
      <svg
        viewBox={`0 0 ${WIDTH} 8`}
        preserveAspectRatio="none"
        className={styles.ticks}
        aria-hidden="true"
        focusable="false"
      >
        <path d={ticks.map((at) => `M${x(span, at)} 0v4`).join('')} />
        <path d={named.at.map((at) => `M${x(span, at)} 0v8`).join('')} />
      </svg>
      <div className={styles.line} style={{ inlineSize: `${fraction * 100}%` }} />
      <span className={styles.first}>{first}</span>
      {labels.map((at) => (
        <span key={at} className={styles.label} style={{ insetInlineStart: `${fractionOf(span, at) * 100}%` }}>
          {tickText(at, named.unit, locale)}
        </span>
      ))}
      <span className={styles.last}>{last}</span>
    </div>
  );
});

/** Returns roughly what fraction of the scale an end label takes up; other labels keep clear of it. */
function roomOf(text: string, narrow: boolean): number {
  return (text.length * 7 + 8) / (narrow ? 220 : 600);
}

const WIDTH = 1_000;
const HEIGHT = 20;
const GAP = 0.3;

function x(span: Span, time: number): number {
  return Math.round(fractionOf(span, time) * WIDTH * 10) / 10;
}

/**
 * Draws a bar for each day with movements. Its height is a square root, so that days with few movements stay visible.
 */
function activityPath(span: Span, activity: Activity[]): string {
  const most = Math.max(1, ...activity.map(({ units }) => units));
  return activity
    .filter(({ units }) => units > 0)
    .map(({ from, to, units }) => {
      const [left, right] = [x(span, from), x(span, to)];
      const width = Math.max(0.5, (right - left) * (1 - GAP));
      const height = Math.max(1.5, Math.sqrt(units / most) * HEIGHT);
      return `M${left} ${HEIGHT}v${-height}h${width}v${height}z`;
    })
    .join('');
}
