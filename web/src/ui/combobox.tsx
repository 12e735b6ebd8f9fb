import { useCombobox } from 'downshift';
import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import styles from './combobox.module.css';
import { Icon } from './icon.tsx';

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

/** A text field with suggestions that also takes new values. */
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
    <div className={styles.combobox}>
      {/* biome-ignore lint/a11y/noLabelWithoutControl: downshift ties it to the input */}
      <label {...box.getLabelProps()} className={styles.label}>
        {label}
      </label>
      <div className={styles.frame}>
        <input {...box.getInputProps({ name, placeholder, disabled })} className={styles.input} />
        <button
          type="button"
          {...box.getToggleButtonProps({ disabled })}
          aria-label={openLabel}
          className={styles.toggle}
        >
          <Icon of={ChevronDown} />
        </button>
      </div>
      <ul {...box.getMenuProps()} className={box.isOpen ? styles.list : styles.closed}>
        {box.isOpen &&
          offered.map((option, index) => (
            <li
              key={option}
              {...box.getItemProps({ item: option, index })}
              className={index === box.highlightedIndex ? `${styles.option} ${styles.active}` : styles.option}
            >
              {option}
            </li>
          ))}
      </ul>
      <p className={styles.empty} role="status">
        {box.isOpen && offered.length === 0 ? emptyLabel : ''}
      </p>
    </div>
  );
}
