import type { WireSettings } from '@perfume/contract/settings';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { problemText } from '../../live/problem-text.ts';
import { entryAction } from '../../live/undo-entry.ts';
import { performed } from '../../live/undo-stack.ts';
import { undoAction } from '../../live/undo-with-toast.ts';
import { Button } from '../../ui/button.tsx';
import { notify } from '../../ui/toast.ts';
import { useWords } from '../../words/words.tsx';
import { ReorderField, readReorderField } from '../items/reorder-field.tsx';
import { SavedIndicator, useSaved } from './saved-indicator.tsx';
import { saveSettings } from './settings-query.ts';
import styles from './warehouse-settings.module.css';

export function WarehouseSettings({ settings }: { settings: WireSettings }) {
  const words = useWords();
  const { say } = words;
  const field = useRef<HTMLInputElement>(null);
  const [wrong, setWrong] = useState(false);
  const [busy, setBusy] = useState(false);
  const [count, saved] = useSaved();

  // When somebody else changes the reorder point, the field shows the new one, unless the user is in the field.
  useEffect(() => {
    const input = field.current;
    if (input && document.activeElement !== input) input.value = String(settings.reorderPoint);
  }, [settings.reorderPoint]);

  async function submit(event: FormEvent) {
    event.preventDefault();
    const input = field.current;
    if (!input || busy) return;
    const reorderPoint = readReorderField(input);
    setWrong(reorderPoint === null);
    if (reorderPoint === null) return input.focus();
    setBusy(true);
    try {
      const entryId = await saveSettings({ reorderPoint });
      saved();
      if (entryId !== null) offerUndo(entryId, reorderPoint);
    } catch (problem) {
      notify({ kind: 'error', id: 'settings', text: `${say('settings.notSaved')} ${problemText(problem, words)}` });
    }
    setBusy(false);
  }

  function offerUndo(id: string, count: number) {
    const action = entryAction({ id, itemId: null, what: { kind: 'settings' } });
    performed(action);
    const text = say('settings.reorderPoint.changed', { count });
    notify({ kind: 'success', id: 'settings', text, action: undoAction([action], words) });
  }

  return (
    <form noValidate onSubmit={submit} className={styles.form}>
      <ReorderField
        ref={field}
        label={say('settings.reorderPoint')}
        hint={say('settings.reorderPoint.hint')}
        error={wrong ? say('reorder.wrong') : undefined}
        defaultValue={settings.reorderPoint}
        onChange={() => setWrong(false)}
      />
      <div className={styles.row}>
        <Button type="submit" busy={busy}>
          {say('save')}
        </Button>
        <SavedIndicator count={count} />
      </div>
    </form>
  );
}
