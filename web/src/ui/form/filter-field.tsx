import { ChevronDown } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { Icon } from '../icon.tsx';
import styles from './filter-field.module.css';

type FilterFieldProps = {
  label: string;
  hideLabel?: boolean;
  className?: string | undefined;
  /** Renders the control, which must use the given `id` and `className`. */
  children: (control: { id: string; className: string | undefined }) => ReactNode;
};

/** One filter above a list: a small label and a control. */
export function FilterField({ label, hideLabel = false, className, children }: FilterFieldProps) {
  const id = useId();
  return (
    <div className={[styles.field, className].filter(Boolean).join(' ')}>
      <label htmlFor={id} className={hideLabel ? 'visually-hidden' : styles.label}>
        {label}
      </label>
      <div className={styles.frame}>{children({ id, className: styles.control })}</div>
    </div>
  );
}

type SelectFilterProps = Omit<FilterFieldProps, 'children'> & {
  value: string;
  options: { value: string; text: string }[];
  onPick: (value: string) => void;
};

/** A filter with a native select, because users know it and phones show it well. */
export function SelectFilter({ value, options, onPick, ...rest }: SelectFilterProps) {
  return (
    <FilterField {...rest}>
      {(control) => (
        <>
          <select {...control} value={value} onChange={({ target }) => onPick(target.value)}>
            {options.map((option) => (
              <option key={option.value} value={option.value}>
                {option.text}
              </option>
            ))}
          </select>
          <span className={styles.arrow}>
            <Icon of={ChevronDown} size={16} />
          </span>
        </>
      )}
    </FilterField>
  );
}
