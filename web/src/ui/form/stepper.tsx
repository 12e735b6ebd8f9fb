import { Minus, Plus } from 'lucide-react';
import { type ComponentProps, type KeyboardEvent, useId } from 'react';
import { IconButton } from '../button.tsx';
import { Icon } from '../icon.tsx';
import styles from './stepper.module.css';

type StepperProps = Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'id'> & {
  label: string;
  fewerLabel: string;
  moreLabel: string;
  /** The text as typed. What it means is for the caller to read. */
  value: string;
  /** The number that `value` stands for; null if it stands for none. */
  number: number | null;
  /** Writes a number into the field, in the digits of the language and without separators. */
  format: (number: number) => string;
  onChange: (text: string) => void;
  error?: string | undefined;
};

/** A number field between a minus and a plus button. The arrow keys do the same as the buttons. Starts at 1. */
export function Stepper({
  label,
  fewerLabel,
  moreLabel,
  value,
  number,
  format,
  onChange,
  error,
  ...rest
}: StepperProps) {
  const id = useId();
  const step = (by: number) => onChange(format(Math.max(1, (number ?? 0) + by)));
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
    event.preventDefault();
    step(event.key === 'ArrowUp' ? 1 : -1);
  }
  return (
    <div>
      <div className={styles.stepper} data-invalid={error !== undefined || undefined}>
        <IconButton label={fewerLabel} onClick={() => step(-1)}>
          <Icon of={Minus} />
        </IconButton>
        <input
          {...rest}
          id={id}
          className={styles.input}
          aria-label={label}
          aria-invalid={error === undefined ? undefined : true}
          aria-describedby={error === undefined ? undefined : `${id}-error`}
          inputMode="numeric"
          autoComplete="off"
          value={value}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
          onFocus={({ currentTarget }) => currentTarget.select()}
          onKeyDown={onKeyDown}
        />
        <IconButton label={moreLabel} onClick={() => step(1)}>
          <Icon of={Plus} />
        </IconButton>
      </div>
      <p id={`${id}-error`} className={styles.error} aria-live="polite">
        {error}
      </p>
    </div>
  );
}
