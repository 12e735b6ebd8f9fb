import { checkTypedQuantity } from '@perfume/domain/items';
import type { ComponentProps } from 'react';
import { TextField } from '../../ui/form/field.tsx';
import { useWords } from '../../words/words.tsx';
import styles from './reorder-field.module.css';

type ReorderFieldProps = Omit<ComponentProps<typeof TextField>, 'type' | 'after'>;

/** A field for a reorder point, the quantity at which stock counts as low. `readReorderField` parses its text. */
export function ReorderField(props: ReorderFieldProps) {
  const { say } = useWords();
  return (
    <TextField
      {...props}
      inputMode="numeric"
      autoComplete="off"
      after={<span className={styles.units}>{say('reorder.units')}</span>}
    />
  );
}

/** Returns the whole number of units in the field, or null for anything else. */
export function readReorderField({ value }: HTMLInputElement): number | null {
  const units = checkTypedQuantity(value);
  return units.ok ? units.value : null;
}
