import type { Item } from '@perfume/domain/items';
import { type FormEvent, type MouseEvent, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { notify } from '../../ui/toast.ts';
import { useWords, type Words } from '../../words/words.tsx';
import { restock, toastAbout } from './item-movements.ts';
import styles from './restock-form.module.css';
import { type RestockUnits, readRestock } from './restock-units.ts';

/** 'Restock the items': what is entered is added to what is on the shelf. */
export function RestockForm({ item }: { item: Item }) {
  const words = useWords();
  const { say } = words;
  const input = useRef<HTMLInputElement>(null);
  const [wrong, setWrong] = useState(false);
  const [busy, setBusy] = useState(false);

  async function submit(event: FormEvent) {
    event.preventDefault();
    const field = input.current;
    if (!field || busy) return;
    const entered = field.value;
    const read = readRestock(entered, item.quantity);
    setWrong(!read.ok);
    if (!read.ok) {
      notify({ kind: 'error', id: toastAbout(`restock ${item.id}`), text: textOf(read, words) });
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
        // The toast says what is wrong; what belongs in the field stays written beside it, and turns red.
        {...{ [wrong ? 'error' : 'hint']: say('restock.hint') }}
        placeholder={say('restock.placeholder')}
        inputMode="numeric"
        autoComplete="off"
        onChange={() => setWrong(false)}
      />
      <Button type="submit" look={item.quantity <= 0 ? 'primary' : 'quiet'} busy={busy} onClick={clickOnce}>
        {say('restock.submit')}
      </Button>
    </form>
  );
}

function textOf(read: Extract<RestockUnits, { ok: false }>, { say }: Words): string {
  return read.reason === 'tooMany' ? say('restock.tooMany', { most: read.most }) : say(`restock.${read.reason}`);
}

/** A double click on the button is one restock: the second would find the field empty and complain. */
function clickOnce(event: MouseEvent): void {
  if (event.detail > 1) event.preventDefault();
}
