import { type FormEvent, useId, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useWords } from '../../words/words.tsx';
import { fieldLabel } from '../history/history-words.ts';
import styles from './edit-conflict.module.css';
import type { EditField, EditTexts } from './edit-fields.ts';

type Side = 'mine' | 'theirs';
export type Sides = Partial<Record<EditField, Side>>;

type ConflictProps = {
  fields: EditField[];
  mine: EditTexts;
  theirs: EditTexts;
  onResolve: (sides: Sides) => void;
  onBack: () => void;
};

/**
 * Shows the fields that two people changed at the same time. Whoever saves second chooses which value each field keeps.
 */
export function EditConflict({ fields, mine, theirs, onResolve, onBack }: ConflictProps) {
  const words = useWords();
  const { say } = words;
  const [sides, setSides] = useState<Sides>({});

  function save(event: FormEvent) {
    event.preventDefault();
    onResolve(Object.fromEntries(fields.map((field) => [field, sides[field] ?? 'mine'])));
  }

  return (
    <Dialog
      title={say('edit.conflict')}
      description={say('edit.conflict.text', { count: fields.length })}
      closeLabel={say('edit.conflict.back')}
      onClose={onBack}
      wide
    >
      <form onSubmit={save} className={styles.form}>
        {fields.map((field) => (
          <fieldset key={field} className={styles.field}>
            <legend className={styles.legend}>{fieldLabel(field, words)}</legend>
            {(['mine', 'theirs'] as const).map((side) => (
              <Choice
                key={side}
                field={field}
                label={say(`edit.conflict.${side}`)}
                text={(side === 'mine' ? mine : theirs)[field]}
                checked={(sides[field] ?? 'mine') === side}
                onChoose={() => setSides((now) => ({ ...now, [field]: side }))}
              />
            ))}
          </fieldset>
        ))}
        <div className={styles.actions}>
          <Button onClick={onBack}>{say('edit.conflict.back')}</Button>
          <Button type="submit" look="primary">
            {say('edit.conflict.save')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

type ChoiceProps = { field: EditField; label: string; text: string; checked: boolean; onChoose: () => void };

function Choice({ field, label, text, checked, onChoose }: ChoiceProps) {
  const { say } = useWords();
  const id = useId();
  const empty = say(field === 'reorderPoint' ? 'history.warehouseSetting' : 'edit.empty');
  return (
    <label className={styles.choice} htmlFor={id}>
      <span className={styles.head}>
        <input id={id} type="radio" name={`side-${field}`} checked={checked} onChange={onChoose} />
        <span className={styles.label}>{label}</span>
      </span>
      <bdi className={styles.value}>{text === '' ? empty : text}</bdi>
    </label>
  );
}
