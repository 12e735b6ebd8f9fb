import type { WireHouse } from '@perfume/contract/houses';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/form/checkbox.tsx';
import { TextField } from '../../ui/form/field.tsx';
import { notify } from '../../ui/toast.ts';
import { useWords } from '../../words/words.tsx';
import { checks } from '../identity/checks.ts';
import { FormError } from '../identity/form-parts.tsx';
import { useAuthForm } from '../identity/use-auth-form.ts';
import { houseProblemText } from './house-problem-text.ts';
import styles from './house-settings.module.css';
import { changeHouse } from './houses-query.ts';

/** The name of the house and whether visitors see its items. Both can be set back from the toast. */
export function HouseProfile({ house }: { house: WireHouse }) {
  const words = useWords();
  const { say } = words;
  const [busy, setBusy] = useState(false);
  const { form, field, submit, formError } = useAuthForm({
    fields: { name: checks.name },
    send: ({ name }) => change({ name: name.trim() }, { name: house.name }),
  });

  async function change(to: Change, back: Change | null): Promise<void> {
    setBusy(true);
    try {
      await changeHouse(house, to);
      const undo = back && { action: { text: say('undo'), run: () => void change(back, null) } };
      notify({ kind: 'success', id: 'house', text: doneText(to), ...undo });
      const input = form.ref.current?.elements.namedItem('name');
      if (to.name !== undefined && input instanceof HTMLInputElement) input.value = to.name;
    } catch (problem) {
      notify({ kind: 'error', id: 'house', text: `${say('house.notSaved')} ${houseProblemText(problem, words)}` });
    }
    setBusy(false);
  }

  function doneText({ name, published }: Change): string {
    if (name !== undefined) return say('house.renamed', { name });
    return say(published ? 'house.published' : 'house.unpublished');
  }

  return (
    <>
      <form {...form} className={styles.form}>
        <FormError error={formError} />
        <TextField
          {...field('name')}
          label={say('house.name')}
          defaultValue={house.name}
          autoComplete="off"
          dir="auto"
        />
        <Button {...submit}>{say('save')}</Button>
      </form>
      <div className={styles.choice}>
        <Checkbox
          label={say('house.publish')}
          checked={house.published}
          disabled={busy}
          onChange={({ target }) => void change({ published: target.checked }, { published: house.published })}
        />
        <p className={styles.hint}>{say('house.publish.hint')}</p>
      </div>
    </>
  );
}

type Change = { name?: string; published?: boolean };
