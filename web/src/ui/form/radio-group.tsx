import { useId } from 'react';
import styles from './radio-group.module.css';

type RadioGroupProps<T extends string> = {
  label: string;
  value: T;
  options: readonly { value: T; text: string; lang?: string }[];
  onChoose: (value: T) => void;
};

/** Native radio buttons, drawn as one segmented control. */
export function RadioGroup<T extends string>({ label, value, options, onChoose }: RadioGroupProps<T>) {
  const name = useId();
  return (
    <fieldset className={styles.choice}>
      <legend className={styles.label}>{label}</legend>
      <div className={styles.options}>
        {options.map((option) => (
          <label key={option.value} className={styles.option} lang={option.lang}>
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChoose(option.value)}
            />
            <span>{option.text}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
