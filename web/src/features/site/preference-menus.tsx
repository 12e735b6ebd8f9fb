import { Languages, SunMoon } from 'lucide-react';
import { onDemand } from '../../lazy/on-demand.tsx';
import { IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useWords } from '../../words/words.tsx';

const LanguageMenu = onDemand('menu', async () => (await import('./language-menu.tsx')).LanguageMenu);
const ThemeMenu = onDemand('menu', async () => (await import('./theme-menu.tsx')).ThemeMenu);

/** The language and theme menus of a header. */
export function PreferenceMenus() {
  const { say } = useWords();
  return (
    <>
      <LanguageMenu
        button={(trigger) => (
          <IconButton label={say('language.label')} {...trigger}>
            <Icon of={Languages} />
          </IconButton>
        )}
      />
      <ThemeMenu
        button={(trigger) => (
          <IconButton label={say('theme.label')} {...trigger}>
            <Icon of={SunMoon} />
          </IconButton>
        )}
      />
    </>
  );
}
