import { type UseComboboxReturnValue, useCombobox } from 'downshift';
import { ChevronDown } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Icon } from '../icon.tsx';
import styles from './combobox.module.css';

type ComboboxProps = {
  label: string;
  openLabel: string;
  emptyLabel: string;
  options: readonly string[];
  value: string;
  onChange: (value: string) => void;
  name?: string;
  placeholder?: string;
  disabled?: boolean;
};

/** A text field with suggestions. It also accepts values that are not suggested. */
export function Combobox(props: ComboboxProps) {
  const { label, openLabel, emptyLabel, options, value, onChange, name, placeholder, disabled = false } = props;
  const [typed, setTyped] = useState('');
  const offered = options.filter((option) => option.toLowerCase().includes(typed.toLowerCase()));
  const box = useCombobox({
    items: offered,
    inputValue: value,
    onInputValueChange: ({ inputValue, type }) => {
      onChange(inputValue);
      setTyped(type === useCombobox.stateChangeTypes.InputChange ? inputValue : '');
    },
  });
  return (
    <ComboboxView
      box={box}
      label={label}
      input={box.getInputProps({ name, placeholder, disabled })}
      button={
        <button
          type="button"
          {...box.getToggleButtonProps({ disabled })}
          aria-label={openLabel}
          className={styles.toggle}
        >
          <Icon of={ChevronDown} />
        </button>
      }
      items={offered}
      keyOf={(option) => option}
      renderItem={(option) => option}
      status={box.isOpen && offered.length === 0 ? emptyLabel : ''}
    />
  );
}

type ViewProps<T> = {
  box: UseComboboxReturnValue<T>;
  look?: 'field' | 'filter';
  label: string;
  /** The result of `box.getInputProps`. */
  input: object;
  button: ReactNode;
  listLabel?: string;
  items: readonly T[];
  keyOf: (item: T) => string;
  renderItem: (item: T) => ReactNode;
  status: ReactNode;
};

/** The visible parts of a combobox. Their behaviour comes from `box`, the result of downshift's `useCombobox`. */
export function ComboboxView<T>(props: ViewProps<T>) {
  const { box, look = 'field', label, input, button, listLabel, items, keyOf, renderItem, status } = props;
  return (
    <div className={`${styles.combobox} ${look === 'filter' ? styles.filter : styles.field}`}>
      {/* biome-ignore lint/a11y/noLabelWithoutControl: downshift links it to the input */}
      <label {...box.getLabelProps()} className={styles.label}>
        {label}
      </label>
      <div className={styles.frame}>
        <input {...input} className={styles.input} />
        {button}
      </div>
      <ul
        {...box.getMenuProps(listLabel === undefined ? {} : { 'aria-label': listLabel })}
        className={box.isOpen && items.length > 0 ? styles.list : styles.closed}
      >
        {box.isOpen &&
          items.map((item, index) => (
            <li
              key={keyOf(item)}
              {...box.getItemProps({ item, index })}
              className={index === box.highlightedIndex ? `${styles.option} ${styles.active}` : styles.option}
            >
              {renderItem(item)}
            </li>
          ))}
      </ul>
      <p role="status" className={styles.status}>
        {status}
      </p>
    </div>
  );
}
