import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react';
import type { BulkKind } from '../../live/bulk-job.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Stepper } from '../../ui/form/stepper.tsx';
import { useWords } from '../../words/words.tsx';
import { ReorderField, readReorderField } from '../items/reorder-field.tsx';
import { readUnits } from '../ledger/typed-units.ts';
import type { BulkAction } from './bulk-actions.ts';
import styles from './bulk-form.module.css';

type FormProps<Action extends BulkKind> = {
  action: Action;
  /** The units that the form starts with. */
  units: number;
  /** How many items are selected. */
  count: number;
  onSubmit: (change: BulkAction) => void;
  onClose: () => void;
};

/** The dialog that asks for the number of a bulk action: the units of each item, or their reorder point. */
export function BulkForm(props: FormProps<'deliver' | 'restock' | 'setReorderPoint'>) {
  const { say } = useWords();
  const { action, count, onClose } = props;
  return (
    <Dialog title={say(`bulk.form.${action}`, { count })} closeLabel={say('bulk.close')} onClose={onClose}>
      {action === 'setReorderPoint' ? <PointForm {...props} /> : <UnitsForm {...props} action={action} />}
    </Dialog>
  );
}

function UnitsForm({ action, units, count, onSubmit, onClose }: FormProps<'deliver' | 'restock'>) {
  const { say, locale } = useWords();
  const format = (number: number) => new Intl.NumberFormat(locale, { useGrouping: false }).format(number);
  const [text, setText] = useState(() => format(units));
  const [wrong, setWrong] = useState(false);
  const field = useFocusedField();
  const typed = readUnits(text);

  function submit(event: FormEvent) {
    event.preventDefault();
    setWrong(!typed.ok);
    if (typed.ok) onSubmit({ action, units: typed.units });
    else field.current?.focus();
  }

  return (
    <form className={styles.form} noValidate onSubmit={submit}>
      <p className={styles.label} aria-hidden="true">
        {say('bulk.form.units')}
      </p>
      <Stepper
        ref={field}
        label={say('bulk.form.units')}
        fewerLabel={say('units.fewer')}
        moreLabel={say('units.more')}
        value={text}
        number={typed.ok ? typed.units : null}
        format={format}
        onChange={(next) => {
          setText(next);
          setWrong(false);
        }}
        error={wrong ? say('units.notWhole') : undefined}
        enterKeyHint="go"
      />
      <p className={styles.total} role="status">
        {typed.ok && say('bulk.form.total', { units: typed.units * count })}
      </p>
      {action === 'deliver' && <p className={styles.hint}>{say('bulk.form.tooFew')}</p>}
      <div className={styles.actions}>
        <Button onClick={onClose}>{say('bulk.cancel')}</Button>
        <Button type="submit" look="primary">
          {say(`bulk.form.submit.${action}`)}
        </Button>
      </div>
    </form>
  );
}

function PointForm({ onSubmit }: FormProps<BulkKind>) {
  const { say } = useWords();
  const [wrong, setWrong] = useState(false);
  const field = useFocusedField();
  const save = (reorderPoint: number | null) => onSubmit({ action: 'setReorderPoint', reorderPoint });

  function submit(event: FormEvent) {
    event.preventDefault();
    const point = field.current && readReorderField(field.current);
    setWrong(point === null);
    if (point !== null) save(point);
    else field.current?.focus();
  }

  return (
    <form className={styles.form} noValidate onSubmit={submit}>
      <ReorderField
        ref={field}
        label={say('bulk.form.point')}
        hint={say('bulk.form.pointHint')}
        error={wrong ? say('reorder.wrong') : undefined}
        onChange={() => setWrong(false)}
      />
      <div className={styles.actions}>
        <Button onClick={() => save(null)}>{say('bulk.form.useWarehouse')}</Button>
        <Button type="submit" look="primary">
          {say('save')}
        </Button>
      </div>
    </form>
  );
}

/** Focuses a field when its form opens. Otherwise the dialog would focus its close button. */
function useFocusedField(): RefObject<HTMLInputElement | null> {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  return field;
}
