import { Clock } from 'lucide-react';
import type { Ref } from 'react';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useShortcut } from '../../ui/keyboard/shortcuts.ts';
import { useWords } from '../../words/words.tsx';
import styles from './time-machine-button.module.css';

const KEYS = 't';

type ButtonProps = { ref: Ref<HTMLButtonElement>; open: boolean; controls: string; onToggle: () => void };

export function TimeMachineButton({ ref, open, controls, onToggle }: ButtonProps) {
  const { say } = useWords();
  useShortcut(KEYS, say('timeMachine.name'), onToggle);
  return (
    <Button
      ref={ref}
      look="plain"
      className={styles.button}
      aria-expanded={open}
      aria-controls={open ? controls : undefined}
      aria-keyshortcuts={KEYS}
      onClick={onToggle}
    >
      <Icon of={Clock} size={18} />
      <span className="visually-hidden-when-narrow">{say('timeMachine.name')}</span>
    </Button>
  );
}
