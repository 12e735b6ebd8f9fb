import { checkTypedQuantity } from '@perfume/domain/items';
import type { ComponentProps } from 'react';
import { TextField } from '../../ui/form/field.tsx';
import { useWords } from '../../words/words.tsx';
import styles from './reorder-field.module.css';

type ReorderFieldProps = Omit<ComponentProps<typeof TextField>, 'type' | 'after'>;

/** The low-stock threshold. `readReorderField` parses what was entered. */
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

/** A whole number of units, or null for anything else. */
export function readReorderField({ value }: HTMLInputElement): number | null {
  const units = checkTypedQuantity(value);
  return units.ok ? units.value : null;
}
