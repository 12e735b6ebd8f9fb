import { ClipboardCheck, PackageMinus, PackagePlus, Search } from 'lucide-react';
import { useId } from 'react';
import { Icon } from '../../ui/icon.tsx';
import { useWords } from '../../words/words.tsx';
import { type FloorMode, floorModes } from './floor-mode.ts';
import styles from './mode-choice.module.css';

const icons = { deliver: PackageMinus, receive: PackagePlus, count: ClipboardCheck, find: Search } as const;

/** Native radio buttons, drawn as one segmented control across the screen. */
export function ModeChoice({ mode, onChoose }: { mode: FloorMode; onChoose: (mode: FloorMode) => void }) {
  const { say } = useWords();
  const name = useId();
  return (
    <fieldset className={styles.modes}>
      <legend className="visually-hidden">{say('floor.mode')}</legend>
      {floorModes.map((one) => (
        <label key={one} className={styles.mode} data-mode={one}>
          <input type="radio" name={name} value={one} checked={one === mode} onChange={() => onChoose(one)} />
          <span className={styles.face}>
            <Icon of={icons[one]} size={22} />
            {say(`floor.${one}`)}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
