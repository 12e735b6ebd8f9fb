import { checkTypedQuantity } from '@perfume/domain/items';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { BulkKind } from '../../live/bulk-job.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/form/field.tsx';
import { useWords } from '../../words/words.tsx';
import { ReorderField } from '../items/reorder-field.tsx';
import type { BulkAction } from './bulk-actions.ts';
import styles from './bulk-form.module.css';

type FormProps = {
  action: Exclude<BulkKind, 'delete'>;
  count: number;
  onSubmit: (change: BulkAction) => void;
  onClose: () => void;
};

/** The dialog that asks for the number of a bulk action: the units of each item, or their reorder point. */
export function BulkForm(props: FormProps) {
  const { say } = useWords();
  const { action, count, onClose } = props;
  return (
    <Dialog title={say(`bulk.form.${action}`, { count })} closeLabel={say('bulk.close')} onClose={onClose}>
      <Fields {...props} />
    </Dialog>
  );
}

function Fields({ action, count, onSubmit, onClose }: FormProps) {
  const { say } = useWords();
  const field = useRef<HTMLInputElement>(null);
  const setsPoint = action === 'setReorderPoint';
  const [text, setText] = useState(setsPoint ? '' : '1');
  const [wrong, setWrong] = useState(false);
  const read = checkTypedQuantity(text);
  const number = read.ok && (setsPoint || read.value > 0) ? read.value : null;
  // Otherwise the dialog would focus its close button.
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);

  function submit(event: FormEvent) {
    event.preventDefault();
    setWrong(number === null);
    if (number === null) field.current?.focus();
    else onSubmit(setsPoint ? { action, reorderPoint: number } : { action, units: number });
  }

  const common = {
    ref: field,
    value: text,
    onChange: ({ target }: { target: HTMLInputElement }) => {
      setText(target.value);
      setWrong(false);
    },
  };
  return (
    <form className={styles.form} noValidate onSubmit={submit}>
      {setsPoint ? (
        <ReorderField
          {...common}
          label={say('bulk.form.point')}
          hint={say('bulk.form.pointHint')}
          error={wrong ? say('reorder.wrong') : undefined}
        />
      ) : (
        <TextField
          {...common}
          label={say('bulk.form.units')}
          hint={action === 'deliver' ? say('bulk.form.tooFew') : undefined}
          error={wrong ? say('bulk.form.wrong') : undefined}
          inputMode="numeric"
          autoComplete="off"
        />
      )}
      {!setsPoint && (
        <p className={styles.total} role="status">
          {number !== null && say('bulk.form.total', { units: number * count })}
        </p>
      )}
      <div className={styles.actions}>
        {setsPoint ? (
          <Button onClick={() => onSubmit({ action, reorderPoint: null })}>{say('bulk.form.useWarehouse')}</Button>
        ) : (
          <Button onClick={onClose}>{say('bulk.cancel')}</Button>
        )}
        <Button type="submit" look="primary">
          {setsPoint ? say('save') : say(`bulk.form.submit.${action}`)}
        </Button>
      </div>
    </form>
  );
}
