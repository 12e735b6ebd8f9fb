import { NOTE_MAX } from '@perfume/contract/ledger';
import type { Item } from '@perfume/domain/items';
import { type CountReason, countReasons } from '@perfume/domain/ledger';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { Count } from '../../live/change-stock.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/form/field.tsx';
import { RadioGroup } from '../../ui/form/radio-group.tsx';
import { useWords } from '../../words/words.tsx';
import styles from './count-form.module.css';
import { readCount, type TypedCount } from './typed-units.ts';

type CountFormProps = {
  item: Item;
  focused?: boolean;
  primary?: boolean;
  /** Saves the count. Resolves with whether it worked; if it did not, the form keeps what was typed. */
  onCount: (count: Count) => Promise<boolean>;
};

/** Asks how many units there really are, and why, if that differs from what is recorded. */
export function CountForm({ item, focused = false, primary = false, onCount }: CountFormProps) {
  const { say } = useWords();
  const [text, setText] = useState('');
  const [reason, setReason] = useState<CountReason>('miscount');
  const [note, setNote] = useState('');
  const [wrong, setWrong] = useState(false);
  const [busy, setBusy] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (focused) input.current?.focus();
  }, [focused]);
  const typed = readCount(text, item.quantity);
  const differs = typed.ok && typed.difference !== 0;
  const [begunAt, setBegunAt] = useState(item.quantity);

  function type(next: string): void {
    if (text === '') setBegunAt(item.quantity);
    setText(next);
    setWrong(false);
  }

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (busy) return;
    if (!typed.ok) {
      setWrong(true);
      input.current?.focus();
      return;
    }
    setBusy(true);
    const isSaved = await onCount({ counted: typed.counted, reason, ...(differs && note.trim() !== '' && { note }) });
    setBusy(false);
    if (!isSaved) return;
    setText('');
    setNote('');
    setReason('miscount');
  }

  const changed = text !== '' && begunAt !== item.quantity;
  return (
    <form className={styles.form} noValidate onSubmit={(event) => void submit(event)}>
      <TextField
        ref={input}
        label={say('count.counted')}
        error={wrong ? say('count.wrong') : undefined}
        inputMode="numeric"
        autoComplete="off"
        value={text}
        onChange={({ currentTarget }) => type(currentTarget.value)}
      />
      <p className={styles.difference} data-differs={differs || undefined} role="status">
        <Difference typed={typed} recorded={item.quantity} />
        {changed && (
          <span className={styles.changed}>{say('count.changed', { before: begunAt, after: item.quantity })}</span>
        )}
      </p>
      {differs && (
        <>
          <RadioGroup
            label={say('count.reason')}
            value={reason}
            options={countReasons.map((value) => ({ value, text: say(`reason.${value}`) }))}
            onChoose={setReason}
          />
          <TextField
            label={say('count.note')}
            maxLength={NOTE_MAX}
            autoComplete="off"
            value={note}
            onChange={({ currentTarget }) => setNote(currentTarget.value)}
          />
        </>
      )}
      <Button type="submit" size="s" look={primary ? 'primary' : 'quiet'} busy={busy}>
        {say('count.save')}
      </Button>
    </form>
  );
}

/** Says how the count differs from what is recorded, while it is typed. */
function Difference({ typed, recorded }: { typed: TypedCount; recorded: number }) {
  const { say } = useWords();
  if (!typed.ok) return say('count.recorded', { quantity: recorded });
  if (typed.difference === 0) return say('count.same');
  const count = Math.abs(typed.difference);
  return say(typed.difference < 0 ? 'count.fewer' : 'count.more', { count });
}
