import type { Item } from '@perfume/domain/items';
import { MAX_QUANTITY } from '@perfume/domain/quantity';
import { type FormEvent, type MouseEvent, useEffect, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Stepper } from '../../ui/form/stepper.tsx';
import { useWords, type Words } from '../../words/words.tsx';
import { signed } from './signed.ts';
import { deliver, receive, type ScreenSize } from './stock-actions.ts';
import { readUnits, type TypedUnits } from './typed-units.ts';
import styles from './units-form.module.css';

type UnitsFormProps = {
  item: Item;
  screen: ScreenSize;
  /** Whether delivering is the main action of the view. */
  primary?: boolean;
  /** The buttons say −5 and +5 where their words do not fit. */
  compact?: boolean;
  focused?: boolean;
  /** Called as soon as the units are on their way. A toast says how it went. */
  onSent?: () => void;
};

/** Delivers or receives several units at once: one movement, one line of the history. */
export function UnitsForm({ item, screen, primary = false, compact = false, focused = false, onSent }: UnitsFormProps) {
  const words = useWords();
  const { say } = words;
  const format = (units: number) => new Intl.NumberFormat(words.locale, { useGrouping: false }).format(units);
  const [text, setText] = useState(() => format(1));
  const [refused, setRefused] = useState<Refused | null>(null);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (focused) input.current?.focus();
  }, [focused]);
  const typed = readUnits(text);

  function type(next: string): void {
    setText(next);
    setRefused(null);
  }

  function send(action: 'deliver' | 'receive'): void {
    // A delivery of more than there is on hand is refused with the quantity, which may have changed since.
    const read = action === 'deliver' ? typed : readUnits(text, MAX_QUANTITY - item.quantity);
    if (!read.ok) {
      setRefused(read);
      input.current?.focus();
      return;
    }
    void (action === 'deliver' ? deliver(item, read.units, screen, words) : receive(item, read.units, words));
    setText(format(1));
    onSent?.();
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    send('deliver');
  }

  const labels = buttonLabels(typed, words);
  return (
    <form className={compact ? `${styles.form} ${styles.compact}` : styles.form} noValidate onSubmit={submit}>
      <Stepper
        ref={input}
        label={say('units.label')}
        fewerLabel={say('units.fewer')}
        moreLabel={say('units.more')}
        value={text}
        number={typed.ok ? typed.units : null}
        format={format}
        onChange={type}
        error={refused === null ? undefined : refusalText(refused)}
      />
      <div className={styles.actions}>
        <Button
          type="submit"
          size="s"
          look={primary ? 'primary' : 'quiet'}
          onClick={clickOnce}
          {...(compact && { 'aria-label': labels.deliver, title: labels.deliver })}
        >
          {compact ? labels.minus : labels.deliver}
        </Button>
        <Button
          size="s"
          onClick={() => send('receive')}
          {...(compact && { 'aria-label': labels.receive, title: labels.receive })}
        >
          {compact ? labels.plus : labels.receive}
        </Button>
      </div>
    </form>
  );

  function refusalText(refusal: Refused): string {
    return refusal.reason === 'tooMany' ? say('units.tooMany', { most: refusal.most }) : say('units.notWhole');
  }
}

function buttonLabels(typed: TypedUnits, { say, number, locale }: Words) {
  if (!typed.ok) return { deliver: say('units.deliver'), receive: say('units.receive'), minus: '\u2212', plus: '+' };
  const units = number(typed.units);
  return {
    deliver: say('units.deliverMany', { units }),
    receive: say('units.receiveMany', { units }),
    minus: signed(-typed.units, locale),
    plus: signed(typed.units, locale),
  };
}

type Refused = Extract<TypedUnits, { ok: false }>;

/** Makes a double click deliver once: the second click would deliver the 1 that the field was set back to. */
function clickOnce(event: MouseEvent): void {
  if (event.detail > 1) event.preventDefault();
}
