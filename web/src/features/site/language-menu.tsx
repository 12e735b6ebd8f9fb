import { Languages } from 'lucide-react';
import { useChooseLanguage } from '../../lazy/choose-language.ts';
import { IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Menu, MenuRadioGroup } from '../../ui/menu.tsx';
import { languageNames, languages } from '../../words/languages.ts';
import { useWords } from '../../words/words.tsx';

/** The language menu. It starts open, because pressing its button in the header mounts it. */
export function LanguageMenu() {
  const { say, dir, language } = useWords();
  const chooseLanguage = useChooseLanguage();
  return (
    <Menu
      defaultOpen
      dir={dir}
      trigger={
        <IconButton label={say('language.label')}>
          <Icon of={Languages} />
        </IconButton>
      }
    >
      <MenuRadioGroup
        label={say('language.label')}
        value={language}
        onChoose={chooseLanguage}
        options={languageNames.map((value) => ({ value, text: languages[value].name, lang: languages[value].lang }))}
      />
    </Menu>
  );
}
