import type { Item } from '@perfume/domain/items';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { ApiProblem } from '../../api/client.ts';
import { useMay } from '../../live/may.ts';
import { problemText } from '../../live/problem-text.ts';
import { Button } from '../../ui/button.tsx';
import { notify } from '../../ui/toast.ts';
import { useWords } from '../../words/words.tsx';
import { ReorderField, readReorderField } from '../items/reorder-field.tsx';
import { changeReorderPoint } from './change-reorder-point.ts';
import styles from './reorder-editor.module.css';

/** Shows the reorder point; its button opens a form to change it. */
export function ReorderEditor({ item }: { item: Item }) {
  const words = useWords();
  const { say } = words;
  const may = useMay();
  const [editing, setEditing] = useState(false);
  const [wrong, setWrong] = useState(false);
  const [busy, setBusy] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const change = useRef<HTMLButtonElement>(null);
  const wasEditing = useRef(false);

  // Opening the form moves the focus into the field; closing it moves the focus back to the button.
  useEffect(() => {
    if (editing) field.current?.select();
    else if (wasEditing.current) change.current?.focus();
    wasEditing.current = editing;
  }, [editing]);

  function submit(event: FormEvent) {
    event.preventDefault();
    const units = field.current && readReorderField(field.current);
    setWrong(units === null);
    if (units === null) return field.current?.focus();
    void save(units);
  }

  async function save(units: number | null) {
    if (busy) return;
    setBusy(true);
    const { name } = item;
    try {
      await changeReorderPoint(item, units);
      setEditing(false);
      notify({ kind: 'success', id: item.id, text: say('reorder.saved', { name }) });
    } catch (problem) {
      const isConflict = problem instanceof ApiProblem && problem.code === 'edit_conflict';
      const why = isConflict ? say('reorder.conflict') : problemText(problem, words);
      notify({ kind: 'error', id: item.id, text: `${say('reorder.notSaved', { name })} ${why}` });
    }
    setBusy(false);
  }

  const isOwn = item.reorderPoint !== null;
  return (
    <section className={styles.editor} aria-label={say('reorder.label')}>
      {!editing && <h3 className={styles.heading}>{say('reorder.label')}</h3>}
      {editing ? (
        <form
          className={styles.form}
          noValidate
          onSubmit={submit}
          onKeyDown={(event) => leaveOnEscape(event, setEditing)}
        >
          <ReorderField
            ref={field}
            label={say('reorder.label')}
            defaultValue={item.lowAt}
            error={wrong ? say('reorder.wrong') : undefined}
            onChange={() => setWrong(false)}
          />
          <div className={styles.actions}>
            <Button type="submit" size="s" busy={busy}>
              {say('save')}
            </Button>
            {isOwn && (
              <Button look="plain" size="s" onClick={() => void save(null)}>
                {say('reorder.useWarehouse')}
              </Button>
            )}
            <Button look="plain" size="s" onClick={() => setEditing(false)}>
              {say('reorder.cancel')}
            </Button>
          </div>
        </form>
      ) : (
        <div className={styles.line}>
          <p>{say(isOwn ? 'reorder.own' : 'reorder.warehouse', { count: item.lowAt })}</p>
          {may('changeItems') && (
            <Button ref={change} look="plain" size="s" onClick={() => setEditing(true)}>
              {say('reorder.change')}
            </Button>
          )}
        </div>
      )}
    </section>
  );
}

function leaveOnEscape(event: { key: string }, setEditing: (editing: boolean) => void): void {
  if (event.key === 'Escape') setEditing(false);
}
