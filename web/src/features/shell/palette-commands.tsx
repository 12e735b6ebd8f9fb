import { isPagePath } from '@perfume/contract/page-paths';
import type { Item } from '@perfume/domain/items';
import { FlaskConical, History, House, Keyboard, Languages, LogOut, type LucideIcon, SunMoon } from 'lucide-react';
import { useNavigate } from 'react-router';
import { useChooseLanguage } from '../../lazy/choose-language.ts';
import { useSession } from '../../live/session-provider.tsx';
import { paths } from '../../paths.ts';
import { Icon } from '../../ui/icon.tsx';
import type { PaletteOption } from '../../ui/palette.tsx';
import { Picture } from '../../ui/picture.tsx';
import { themes, useTheme } from '../../ui/preference.ts';
import { languageNames, languages } from '../../words/languages.ts';
import { useWords } from '../../words/words.tsx';
import { shellLinks } from './shell-links.ts';
import { useManageLink } from './use-manage-link.ts';

export type Command = PaletteOption & {
  run: () => void;
  /** More words that find the command. */
  also?: string;
  /** The command is never listed as recent, so that it is not repeated by accident. */
  once?: boolean;
};

/** The pages and actions of the palette. */
export function useCommands(openHelp: () => void): { pages: Command[]; actions: Command[] } {
  const { say, language } = useWords();
  const chooseLanguage = useChooseLanguage();
  const [theme, setTheme] = useTheme();
  const navigate = useNavigate();
  const manage = useManageLink();
  const { logOut } = useSession();

  const page = (key: string, text: string, icon: LucideIcon, to: string): Command => ({
    key: `page:${key}`,
    text,
    before: <Icon of={icon} />,
    run: () => navigate(to),
  });
  const pages = [
    ...shellLinks(manage, undefined)
      .filter(({ to }) => isPagePath(to.split('?', 1)[0] ?? ''))
      .map(({ to, word, icon }) => ({
        ...page(word.replace('sidebar.', ''), say(word), icon, to),
        ...(to === paths.addItem && { also: say('palette.addItem.also') }),
      })),
    page('history', say('palette.history'), History, paths.history),
    page('home', say('shell.homePage'), House, paths.home),
  ];

  const actions: Command[] = [
    ...themes
      .filter((one) => one !== theme)
      .map((one) => ({
        key: `theme:${one}`,
        text: say('palette.theme', { theme: say(`theme.${one}`) }),
        before: <Icon of={SunMoon} />,
        run: () => setTheme(one),
      })),
    ...languageNames
      .filter((one) => one !== language)
      .map((one) => ({
        key: `language:${one}`,
        text: say('palette.language', { language: languages[one].name }),
        before: <Icon of={Languages} />,
        run: () => chooseLanguage(one),
      })),
    { key: 'help', text: say('shortcuts.title'), before: <Icon of={Keyboard} />, run: openHelp },
    { key: 'leave', text: say('account.logout'), before: <Icon of={LogOut} />, run: logOut, once: true },
  ];
  return { pages, actions };
}

/** Returns a function that makes a command from an item found by the search. */
export function useItemCommand(): (item: Item) => Command {
  const { say } = useWords();
  const navigate = useNavigate();
  return (item) => ({
    key: `item:${item.id}`,
    text: item.name,
    note: `${item.supplierName} · ${say('card.units', { count: item.quantity })}`,
    before: <Picture src={item.imageUrl} alt="" width={32} height={36} eager />,
    run: () => navigate(paths.item(item.id)),
  });
}

/** Returns a function that makes a command from a recent item. Its name is stored, its picture is not. */
export function useRememberedItem(): (key: string, text: string) => Command | null {
  const navigate = useNavigate();
  return (key, text) => {
    const [, id] = /^item:(.+)$/.exec(key) ?? [];
    if (id === undefined) return null;
    return { key, text, before: <Icon of={FlaskConical} />, run: () => navigate(paths.item(id)) };
  };
}
