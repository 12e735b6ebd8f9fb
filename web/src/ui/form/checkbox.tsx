import type { ComponentProps } from 'react';
import styles from './checkbox.module.css';

type CheckboxProps = Omit<ComponentProps<'input'>, 'type' | 'children'> & {
  label: string;
  /** For screen readers only, as for the checkbox of a row. */
  hideLabel?: boolean;
  /** Indeterminate. */
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
