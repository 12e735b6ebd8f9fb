import { useEffect, useId, useRef, useState } from 'react';
import { useWords } from '../../words/words.tsx';
import { clampToSpan, fieldText, type Moment, parseField, type Span } from './instant.ts';
import { dateText } from './instant-text.ts';
import styles from './time-field.module.css';

/** The pause in typing after which the list follows. Without it, a half-typed year would already be used as a year. */
const TYPED_MS = 500;

type FieldProps = { span: Span; shown: Moment; zoneId: string; onType: (moment: Moment) => void };

/** An input for date and time, in local time. */
export function TimeField({ span, shown, zoneId, onType }: FieldProps) {
  const { say, locale } = useWords();
  const id = useId();
  const [typed, setTyped] = useState<string | null>(null);
  const [outside, setOutside] = useState<'before' | 'after' | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  function change(text: string): void {
    setTyped(text);
    setOutside(null);
    clearTimeout(timer.current);
    const time = parseField(text);
    if (time !== null && outsideOf(span, time) === null) timer.current = setTimeout(() => apply(time), TYPED_MS);
  }

  function apply(time: number): void {
    setTyped(null);
    setOutside(outsideOf(span, time));
    onType(clampToSpan(span, time));
  }

  /** Applies the typed time without waiting, even when it is outside the span. */
  function finish(): void {
    clearTimeout(timer.current);
    if (typed === null) return;
    const time = parseField(typed);
    if (time === null) setTyped(null);
    else apply(time);
  }

  return (
    <div className={styles.field}>
      <label htmlFor={id} className={`${styles.label} visually-hidden-when-narrow`}>
        {say('timeMachine.field')}
      </label>
      <input
        id={id}
        type="datetime-local"
        className={styles.input}
        aria-describedby={zoneId}
        value={typed ?? fieldText(shown ?? span.now)}
        min={fieldText(span.first)}
        max={fieldText(span.now)}
        onChange={({ target }) => change(target.value)}
        onBlur={finish}
        onKeyDown={({ key }) => key === 'Enter' && finish()}
      />
      <p role="status">
        {outside === 'before' && say('timeMachine.tooEarly', { date: dateText(span.first, locale) })}
        {outside === 'after' && say('timeMachine.future')}
      </p>
    </div>
  );
}

const MINUTE = 60_000;

/**
 * Returns on which side of the span a time is, or null if it is inside. A minute of tolerance is needed, because the
 * field has no seconds but the ends of the span do.
 */
function outsideOf({ first, now }: Span, time: number): 'before' | 'after' | null {
  if (time < first - MINUTE) return 'before';
  return time > now + MINUTE ? 'after' : null;
}
