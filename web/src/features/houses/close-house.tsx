import type { WireHouse } from '@perfume/contract/houses';
import { type FormEvent, useState } from 'react';
import { call } from '../../api/client.ts';
import { useSession } from '../../live/session-provider.tsx';
import { withProof } from '../../live/with-proof.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/form/field.tsx';
import { notify } from '../../ui/toast.ts';
import { useWords } from '../../words/words.tsx';
import { houseProblemText } from './house-problem-text.ts';
import styles from './house-settings.module.css';

/** Closes the house for all its people, after its name was typed and the owner has proved who they are. */
export function CloseHouse({ house }: { house: WireHouse }) {
  const words = useWords();
  const { say } = words;
  const { refreshSession } = useSession();
  const [isAsking, setAsking] = useState(false);
  const [wrong, setWrong] = useState(false);
  const [busy, setBusy] = useState(false);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (busy) return;
    const input = event.currentTarget.elements.namedItem('typed') as HTMLInputElement;
    if (input.value.trim() !== house.name.trim()) {
      setWrong(true);
      return input.focus();
    }
    // The dialog that asks for the proof takes its place.
    setAsking(false);
    setBusy(true);
    try {
      await withProof(() => call('DELETE /houses/:id', { params: { id: house.id } }));
      await refreshSession();
    } catch (problem) {
      const text = `${say('house.notClosed')} ${houseProblemText(problem, words)}`;
      notify({ kind: 'error', id: 'house', text });
      setBusy(false);
    }
  }

  return (
    <div className={styles.choice}>
      <h3>{say('house.close')}</h3>
      <p className={styles.hint}>{say('house.close.text')}</p>
      <div>
        <Button look="danger" aria-haspopup="dialog" busy={busy} onClick={() => setAsking(true)}>
          {say('house.close')}
        </Button>
      </div>
      {isAsking && (
        <Dialog
          title={say('house.close.ask', { house: house.name })}
          description={say('house.close.text')}
          closeLabel={say('dialog.close')}
          onClose={() => setAsking(false)}
        >
          <form noValidate className={styles.form} onSubmit={(event) => void submit(event)}>
            <TextField
              name="typed"
              label={say('house.close.type')}
              hint={house.name}
              error={wrong ? say('house.close.wrong') : undefined}
              autoComplete="off"
              dir="auto"
              onChange={() => setWrong(false)}
            />
            <Button type="submit" look="primary">
              {say('house.close')}
            </Button>
          </form>
        </Dialog>
      )}
    </div>
  );
}
