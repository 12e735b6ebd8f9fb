import { parseQuantity } from '@perfume/domain/quantity';
import type { ComponentProps } from 'react';
import { TextField } from '../../ui/field.tsx';
import { useWords } from '../../words/words.tsx';
import styles from './reorder-field.module.css';

type ReorderFieldProps = Omit<ComponentProps<typeof TextField>, 'type' | 'after'>;

/** How many units are few. `readReorderField` knows what was entered. */
export function ReorderField(props: ReorderFieldProps) {
  const { say } = useWords();
  return (
    <TextField
      {...props}
      type="number"
      inputMode="numeric"
      min={0}
      step={1}
      autoComplete="off"
      onWheel={leaveAlone}
      after={<span className={styles.units}>{say('settings.units')}</span>}
    />
  );
}

/** A whole number of units, or null when there is none in the field. */
export function readReorderField({ value, validity }: HTMLInputElement): number | null {
  return validity.badInput ? null : parseQuantity(value.trim());
}

/** Scrolling over a number field would count it up or down. */
function leaveAlone(event: { currentTarget: HTMLInputElement }): void {
  event.currentTarget.blur();
}
