import type { WireSettings } from '@perfume/contract/settings';
import { useState } from 'react';
import { useBoot } from '../../api/boot.ts';
import { problemText } from '../../live/problem-text.ts';
import { RadioGroup } from '../../ui/form/radio-group.tsx';
import { notify } from '../../ui/toast.ts';
import { useWords } from '../../words/words.tsx';
import styles from './alert-settings.module.css';
import { SavedIndicator, useSaved } from './saved-indicator.tsx';
import { saveSettings } from './settings-query.ts';

const about = ['mine', 'all'] as const;
const mail = ['daily', 'at_once', 'off'] as const;

/** The user's alert settings. Every choice is saved at once. */
export function AlertSettings({ settings }: { settings: WireSettings }) {
  const words = useWords();
  const { say } = words;
  const { user } = useBoot();
  // The choice being saved. The cache updates a moment after the click; until then the radio button would jump back.
  const [chosen, setChosen] = useState<Partial<WireSettings['alerts']>>({});
  const alerts = { ...settings.alerts, ...chosen };
  const [aboutCount, aboutSaved] = useSaved();
  const [mailCount, mailSaved] = useSaved();

  async function choose(choice: Partial<WireSettings['alerts']>, saved: () => void) {
    setChosen((before) => ({ ...before, ...choice }));
    try {
      await saveSettings({ alerts: choice });
      saved();
    } catch (problem) {
      notify({ kind: 'error', id: 'settings', text: `${say('settings.notSaved')} ${problemText(problem, words)}` });
    } finally {
      setChosen({});
    }
  }

  return (
    <>
      <div className={styles.choice}>
        <RadioGroup
          label={say('settings.about')}
          value={alerts.about}
          options={about.map((value) => ({ value, text: say(`settings.about.${value}`) }))}
          onChoose={(value) => void choose({ about: value }, aboutSaved)}
        />
        <p className={styles.hint}>{say('settings.about.hint', { email: user?.email ?? '' })}</p>
        <SavedIndicator count={aboutCount} />
      </div>
      <div className={styles.choice}>
        <RadioGroup
          label={say('settings.mail')}
          value={alerts.mail}
          options={mail.map((value) => ({ value, text: say(`settings.mail.${value}`) }))}
          onChoose={(value) => void choose({ mail: value }, mailSaved)}
        />
        <p className={styles.hint}>{say(`settings.mail.${alerts.mail}.hint`)}</p>
        <SavedIndicator count={mailCount} />
      </div>
    </>
  );
}
