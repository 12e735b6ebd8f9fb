import { useEffect, useId, useRef, useState } from 'react';
import { useWords } from '../../words/words.tsx';
import { clampToSpan, fieldText, type Moment, parseField, type Span } from './instant.ts';
import { dateText } from './instant-text.ts';
import styles from './time-field.module.css';

/** While a year is typed, its first digits name other years: one waits for the last of them. */
const TYPED_MS = 500;

type FieldProps = { span: Span; shown: Moment; zoneId: string; onType: (moment: Moment) => void };

/** The instant by its date and time, on the person's own clock. */
export function TimeField({ span, shown, zoneId, onType }: FieldProps) {
  const { say, locale } = useWords();
  const id = useId();
  const [typed, setTyped] = useState<string | null>(null);
  const [beyond, setBeyond] = useState<'before' | 'after' | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  function take(text: string): void {
    setTyped(text);
    setBeyond(null);
    clearTimeout(timer.current);
    const time = parseField(text);
    if (time !== null && side(span, time) === null) timer.current = setTimeout(() => leaveFor(time), TYPED_MS);
  }

  function leaveFor(time: number): void {
    setTyped(null);
    setBeyond(side(span, time));
    onType(clampToSpan(span, time));
  }

  /** Whatever was typed counts now, also what lies beyond the ledger. */
  function finish(): void {
    clearTimeout(timer.current);
    if (typed === null) return;
    const time = parseField(typed);
    if (time === null) setTyped(null);
    else leaveFor(time);
  }

  return (
    <div className={styles.field}>
      <label htmlFor={id} className={styles.label}>
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
        onChange={({ target }) => take(target.value)}
        onBlur={finish}
        onKeyDown={({ key }) => key === 'Enter' && finish()}
      />
      <p role="status">
        {beyond === 'before' && say('timeMachine.tooEarly', { date: dateText(span.first, locale) })}
        {beyond === 'after' && say('timeMachine.future')}
      </p>
    </div>
  );
}

const MINUTE = 60_000;

/** On which side of the ledger a time lies; the field knows minutes, and the ends are in the middle of one. */
function side({ first, now }: Span, time: number): 'before' | 'after' | null {
  if (time < first - MINUTE) return 'before';
  return time > now + MINUTE ? 'after' : null;
}
