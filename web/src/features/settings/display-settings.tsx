import { useChooseLanguage } from '../../lazy/choose-language.ts';
import { RadioGroup } from '../../ui/form/radio-group.tsx';
import { themes, useTheme } from '../../ui/preference.ts';
import { languageNames, languages } from '../../words/languages.ts';
import { useWords } from '../../words/words.tsx';
import styles from './alert-settings.module.css';

export function DisplaySettings() {
  const { say, language } = useWords();
  const chooseLanguage = useChooseLanguage();
  const [theme, setTheme] = useTheme();
  return (
    <>
      <div className={styles.choice}>
        <RadioGroup
          label={say('language.label')}
          value={language}
          options={languageNames.map((value) => ({ value, text: languages[value].name, lang: languages[value].lang }))}
          onChoose={chooseLanguage}
        />
      </div>
      <div className={styles.choice}>
        <RadioGroup
          label={say('theme.label')}
          value={theme}
          options={themes.map((value) => ({ value, text: say(`theme.${value}`) }))}
          onChoose={setTheme}
        />
      </div>
    </>
  );
}
