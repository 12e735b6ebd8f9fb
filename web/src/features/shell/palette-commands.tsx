import { isPagePath } from '@perfume/contract/page-paths';
import type { Item } from '@perfume/domain/items';
import { applyDelta } from '@perfume/domain/ledger';
import { useQuery } from '@tanstack/react-query';
import {
  Bookmark,
  ClipboardCheck,
  FileUp,
  FlaskConical,
  History,
  House,
  Keyboard,
  Languages,
  LogOut,
  type LucideIcon,
  PackageMinus,
  PackagePlus,
  Scale,
  SunMoon,
  Tag,
} from 'lucide-react';
import { useChooseLanguage } from '../../lazy/choose-language.ts';
import { useMay } from '../../live/may.ts';
import { useSession } from '../../live/session-provider.tsx';
import { paths } from '../../paths.ts';
import { Icon } from '../../ui/icon.tsx';
import { useMediaQuery } from '../../ui/media-query.ts';
import type { PaletteOption } from '../../ui/palette.tsx';
import { Picture } from '../../ui/picture.tsx';
import { themes, useTheme } from '../../ui/preference.ts';
import { useNavigate } from '../../ui/router.tsx';
import { loadArea } from '../../words/catalogues.ts';
import { languageNames, languages } from '../../words/languages.ts';
import { useWords } from '../../words/words.tsx';
import { deliver, receive } from '../ledger/stock-actions.ts';
import { pageNames, viewLink } from '../views/view-link.ts';
import { byName, viewsQuery } from '../views/views-query.ts';
import { shellLinks } from './shell-links.ts';
import {
  firstSpelling,
  readCommand,
  type StockCommand,
  type TypedCommand,
  type VerbWords,
  verbs,
} from './typed-command.ts';
import { useManageLink } from './use-manage-link.ts';

export type Command = PaletteOption & {
  run: () => void;
  /** More words that find the command. */
  also?: string;
  /** The command is never listed as recent, so that it is not repeated by accident. */
  once?: boolean;
  /** The palette stays open after the command. */
  staysOpen?: boolean;
};

/** The pages and actions of the palette. */
export function useCommands(openHelp: () => void): { pages: Command[]; actions: Command[] } {
  const { say, language } = useWords();
  const chooseLanguage = useChooseLanguage();
  const [theme, setTheme] = useTheme();
  const navigate = useNavigate();
  const manage = useManageLink();
  const { logOut } = useSession();
  const may = useMay();

  const page = (key: string, text: string, icon: LucideIcon, to: string): Command => ({
    key: `page:${key}`,
    text,
    before: <Icon of={icon} />,
    run: () => navigate(to),
  });
  const pages = [
    ...shellLinks(manage, undefined)
      .filter(({ to, does }) => isPagePath(to.split('?', 1)[0] ?? '') && (does === undefined || may(does)))
      .map(({ to, word, icon }) => ({
        ...page(word.replace('sidebar.', ''), say(word), icon, to),
        ...(to === paths.addItem && { also: say('palette.addItem.also') }),
      })),
    page('history', say('palette.history'), History, paths.history),
    page('counts', say('palette.counts'), ClipboardCheck, paths.counts),
    ...(may('changeItems') ? [page('import', say('palette.import'), FileUp, paths.imports)] : []),
    page('labels', say('palette.labels'), Tag, paths.labels),
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

/** The commands that open the saved views. The pinned ones are offered before anything is typed. */
export function useViewCommands(): { all: Command[]; pinned: Command[] } {
  const { say, locale } = useWords();
  const navigate = useNavigate();
  const { data = [] } = useQuery(viewsQuery);
  const views = data.toSorted(byName(locale)).map((view) => ({
    key: `view:${view.id}`,
    text: view.name,
    note: say(pageNames[view.page]),
    before: <Icon of={Bookmark} />,
    pinned: view.pinned,
    run: () => navigate(viewLink(view)),
  }));
  return { all: views, pinned: views.filter(({ pinned }) => pinned) };
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

/** Returns the verb at the start of the typed text, and what follows it. */
export function useTypedCommand(typed: string): TypedCommand | null {
  const { say } = useWords();
  const may = useMay();
  const spellings = Object.fromEntries(verbs.map((verb) => [verb, say(`palette.verb.${verb}`)])) as VerbWords;
  const command = readCommand(typed, spellings);
  return command === null || command.verb === 'open' || may('moveStock') ? command : null;
}

/** The commands that write the start of a typed command into the field. They show by an example what can follow. */
export function useVerbStarts(setText: (text: string) => void): Command[] {
  const { say } = useWords();
  const may = useMay();
  if (!may('moveStock')) return [];
  return (['deliver', 'receive', 'count'] as const).map((verb) => ({
    key: `verb:${verb}`,
    text: say(`palette.start.${verb}`),
    note: say(`palette.example.${verb}`),
    before: <Icon of={verbIcons[verb]} />,
    once: true,
    staysOpen: true,
    run: () => setText(`${firstSpelling(say(`palette.verb.${verb}`))} `),
  }));
}

const verbIcons = { deliver: PackageMinus, receive: PackagePlus, count: Scale };

/** Returns a function that makes the command for an item from a typed verb: deliver, restock or count this item. */
export function useStockCommand(): (item: Item, typed: StockCommand) => Command {
  const words = useWords();
  const { say, language } = words;
  const navigate = useNavigate();
  const screen = useMediaQuery('(width < 64rem)') ? 'phone' : 'desktop';
  return (item, { verb, units: typedUnits }) => {
    const { name, supplierName: supplier, quantity: before } = item;
    const common = {
      key: `${verb}:${item.id}`,
      before: <Picture src={item.imageUrl} alt="" width={32} height={36} eager />,
      below: supplier,
      once: true,
    };
    const withNote = (what: string, note: string) => ({
      ...common,
      text: what,
      note,
      spoken: say('palette.act.spokenNote', { what, supplier, note }),
    });
    if (verb === 'count') {
      const what = say('palette.act.count', { name });
      const run = () => navigate(paths.countItem(item.id));
      return { ...withNote(what, say('palette.act.onHand', { count: before })), run };
    }
    const units = typedUnits ?? 1;
    const what = say(`palette.act.${verb}`, { units, name });
    const fits = applyDelta(before, verb === 'deliver' ? -units : units);
    if (!fits.ok) {
      const reason =
        fits.reason === 'over_full' ? say('problem.overFull') : say('palette.act.tooFew', { count: before });
      return { ...withNote(what, reason), disabled: true, run: () => {} };
    }
    const { after } = fits;
    const run = async () => {
      // The texts of the toast. Without a connection the change is made all the same.
      await loadArea(language, 'ledger').catch(() => {});
      await (verb === 'deliver' ? deliver(item, units, screen, words) : receive(item, units, words));
    };
    return {
      ...common,
      text: what,
      note: say('palette.act.change', { before, after }),
      spoken: say('palette.act.spoken', { what, supplier, before, after }),
      run: () => void run(),
    };
  };
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
