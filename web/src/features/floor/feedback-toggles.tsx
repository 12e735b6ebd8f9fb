import { Vibrate, VibrateOff, Volume2, VolumeX } from 'lucide-react';
import { Icon } from '../../ui/icon.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import { useWords } from '../../words/words.tsx';
import { canVibrate, type FeedbackKind, useFeedback } from './feedback.ts';
import styles from './feedback-toggles.module.css';

const icons = { sound: [Volume2, VolumeX], vibration: [Vibrate, VibrateOff] } as const;

/** Switches for the tone and the vibration after each scan. */
export function FeedbackToggles() {
  return (
    <div className={styles.toggles}>
      <Toggle kind="sound" />
      {canVibrate() && <Toggle kind="vibration" />}
    </div>
  );
}

function Toggle({ kind }: { kind: FeedbackKind }) {
  const { say } = useWords();
  const [on, setOn] = useFeedback(kind);
  const [onIcon, offIcon] = icons[kind];
  return (
    <Tooltip text={say(`floor.${kind}`)}>
      <button type="button" className={styles.toggle} aria-pressed={on} onClick={() => setOn(!on)}>
        <Icon of={on ? onIcon : offIcon} size={22} />
        <span className="visually-hidden">{say(`floor.${kind}`)}</span>
      </button>
    </Tooltip>
  );
}
