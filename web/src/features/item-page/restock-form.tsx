import type { Item } from '@perfume/domain/items';
import { MAX_QUANTITY } from '@perfume/domain/quantity';
import { type FormEvent, type MouseEvent, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/form/field.tsx';
import { useWords, type Words } from '../../words/words.tsx';
import { notifyRefusal, receive } from '../ledger/stock-actions.ts';
import { readUnits, type TypedUnits } from '../ledger/typed-units.ts';
import styles from './restock-form.module.css';

/** The form 'Restock the items', which adds the entered units to the stock. */
export function RestockForm({ item }: { item: Item }) {
  const words = useWords();
  const { say } = words;
  const input = useRef<HTMLInputElement>(null);
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);

  async function submit(event: FormEvent) {
    event.preventDefault();
    const field = input.current;
    if (!field || busy) return;
    const entered = field.value;
    const read = readUnits(entered, MAX_QUANTITY - item.quantity);
    setError(read.ok ? undefined : ruleText(read, words));
    if (!read.ok) {
      notifyRefusal(item, toastText(read, words));
      field.focus();
      return;
    }
    setBusy(true);
    const done = await receive(item, read.units, words);
    setBusy(false);
    // Clears the field, unless the user has already typed the next number.
    if (done && field.value === entered) field.value = '';
  }

  return (
    <form className={styles.form} noValidate onSubmit={submit}>
      <TextField
        ref={input}
        label={say('restock.label')}
        {...(error === undefined ? { hint: say('restock.hint') } : { error })}
        placeholder={say('restock.placeholder')}
        inputMode="numeric"
        autoComplete="off"
        onChange={() => setError(undefined)}
      />
      <Button type="submit" look={item.quantity <= 0 ? 'primary' : 'quiet'} busy={busy} onClick={clickOnce}>
        {say('restock.submit')}
      </Button>
    </form>
  );
}

type Refused = Extract<TypedUnits, { ok: false }>;

/** Returns the text of the error toast: the spec's message where it has one. */
function toastText(read: Refused, words: Words): string {
  const { reason } = read;
  return reason === 'empty' || reason === 'notPositive' ? words.say(`restock.${reason}`) : ruleText(read, words);
}

/** Returns the text shown at the field: the rule that the input broke. */
function ruleText(read: Refused, { say }: Words): string {
  return read.reason === 'tooMany' ? say('units.tooMany', { most: read.most }) : say('units.notWhole');
}

/** Makes a double click restock once: the second submit would find the field empty and show an error. */
function clickOnce(event: MouseEvent): void {
  if (event.detail > 1) event.preventDefault();
}
