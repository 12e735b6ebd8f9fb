import type { ComponentProps } from 'react';
import styles from './checkbox.module.css';

type CheckboxProps = Omit<ComponentProps<'input'>, 'type' | 'children'> & {
  label: string;
  /** Shows the label to screen readers only, for example in a table row. */
  hideLabel?: boolean;
  /** Shows the checkbox as indeterminate, neither checked nor unchecked. */
  mixed?: boolean;
};

export function Checkbox({ label, hideLabel = false, mixed = false, ...rest }: CheckboxProps) {
  return (
    <label className={styles.checkbox}>
      <input
        {...rest}
        type="checkbox"
        ref={(box) => {
          if (box) box.indeterminate = mixed;
        }}
      />
      <span className={hideLabel ? 'visually-hidden' : styles.label}>{label}</span>
    </label>
  );
}
