import { SunMoon } from 'lucide-react';
import { IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Menu, MenuRadioGroup } from '../../ui/menu.tsx';
import { themes, useTheme } from '../../ui/preference.ts';
import { useWords } from '../../words/words.tsx';

/** The theme menu. It starts open, because pressing its button in the header mounts it. */
export function ThemeMenu() {
  const { say, dir } = useWords();
  const [theme, setTheme] = useTheme();
  return (
    <Menu
      defaultOpen
      dir={dir}
      trigger={
        <IconButton label={say('theme.label')}>
          <Icon of={SunMoon} />
        </IconButton>
      }
    >
      <MenuRadioGroup
        label={say('theme.label')}
        value={theme}
        onChoose={setTheme}
        options={themes.map((value) => ({ value, text: say(`theme.${value}`) }))}
      />
    </Menu>
  );
}
