import { Minus, Plus } from 'lucide-react';
import { Icon } from '../../ui/icon.tsx';
import { useWords } from '../../words/words.tsx';
import { pressOnce } from '../ledger/press-once.ts';
import styles from './stepper.module.css';

type StepperProps = {
  label: string;
  text: string;
  canStepDown: boolean;
  onText: (text: string) => void;
  onStep: (by: 1 | -1) => void;
  /** Called on Enter, and when the field loses the focus. */
  onDone?: () => void;
};

/** A number that can be typed, with a large button on either side. */
export function Stepper({ label, text, canStepDown, onText, onStep, onDone }: StepperProps) {
  const { say } = useWords();
  return (
    <div className={styles.stepper}>
      <button
        type="button"
        className={styles.step}
        disabled={!canStepDown}
        onKeyDown={pressOnce}
        onClick={() => onStep(-1)}
      >
        <Icon of={Minus} size={24} />
        <span className="visually-hidden">{say('units.fewer')}</span>
      </button>
      <input
        className={styles.number}
        aria-label={label}
        inputMode="numeric"
        autoComplete="off"
        maxLength={12}
        value={text}
        onChange={({ target }) => onText(target.value)}
        onFocus={({ target }) => target.select()}
        onBlur={onDone}
        onKeyDown={({ key, currentTarget }) => key === 'Enter' && currentTarget.blur()}
      />
      <button type="button" className={styles.step} onKeyDown={pressOnce} onClick={() => onStep(1)}>
        <Icon of={Plus} size={24} />
        <span className="visually-hidden">{say('units.more')}</span>
      </button>
    </div>
  );
}
