import type { Item } from '@perfume/domain/items';
import { type FormEvent, type MouseEvent, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { notify } from '../../ui/toast.ts';
import { useWords, type Words } from '../../words/words.tsx';
import { restock } from './item-movements.ts';
import styles from './restock-form.module.css';
import { type RestockUnits, readRestock } from './restock-units.ts';

/** 'Restock the items': what is entered is added to what is on the shelf. */
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
    const read = readRestock(entered, item.quantity);
    setError(read.ok ? undefined : ruleOf(read, words));
    if (!read.ok) {
      notify({ kind: 'error', id: item.id, text: toastOf(read, words) });
      field.focus();
      return;
    }
    setBusy(true);
    const done = await restock(item, read.units, words);
    setBusy(false);
    // Whoever typed the next number in the meantime keeps it.
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

type Refused = Extract<RestockUnits, { ok: false }>;

/** In the spec's words where it has some. */
function toastOf(read: Refused, words: Words): string {
  const isSpec = read.reason === 'empty' || read.reason === 'notPositive';
  return isSpec ? words.say(`restock.${read.reason}`) : ruleOf(read, words);
}

/** What belongs in the field, said beside it. */
function ruleOf(read: Refused, { say }: Words): string {
  return read.reason === 'tooMany' ? say('restock.tooMany', { most: read.most }) : say('restock.notWhole');
}

/** A double click on the button is one restock: the second would find the field empty and complain. */
function clickOnce(event: MouseEvent): void {
  if (event.detail > 1) event.preventDefault();
}
