import { flushSync } from 'react-dom';
import { useMay } from '../../live/may.ts';
import { paths } from '../../paths.ts';
import { useShortcut } from '../../ui/keyboard/shortcuts.ts';
import { useNavigate } from '../../ui/router.tsx';
import { useWords } from '../../words/words.tsx';
import type { SidebarState } from './sidebar-state.ts';
import { useManageLink } from './use-manage-link.ts';

export const PALETTE_KEYS = 'mod+k';
const HELP_KEYS = '?';

type Options = { openPalette: () => void; openHelp: () => void; sidebar: SidebarState };

/** The shortcuts of every dashboard page. A page adds its own with `useShortcut`. */
export function useShellShortcuts({ openPalette, openHelp, sidebar }: Options): void {
  const { say } = useWords();
  const navigate = useNavigate();
  const manage = useManageLink();
  const may = useMay();
  const goTo = (page: string) => say('shortcuts.goTo', { page });

  function goToSearch() {
    if (focusSearch('#content')) return;
    // On a phone, the palette is quicker to reach than the search field in the drawer.
    if (sidebar.drawer) return openPalette();
    if (!sidebar.expanded) flushSync(() => sidebar.setExpanded(true));
    focusSearch('nav');
  }

  useShortcut(PALETTE_KEYS, say('palette.title'), openPalette, { everywhere: true, inFields: true });
  useShortcut('/', say('shortcuts.search'), goToSearch, { everywhere: true });
  useShortcut('g h', goTo(say('sidebar.adminHome')), () => navigate(paths.adminHome), { everywhere: true });
  useShortcut('g f', goTo(say('sidebar.floor')), () => navigate(paths.floor), {
    everywhere: true,
    enabled: may('moveStock'),
  });
  useShortcut('g m', goTo(say('sidebar.manageInventory')), () => navigate(manage), { everywhere: true });
  useShortcut('g i', goTo(say('sidebar.myItems')), () => navigate(paths.myItems), { everywhere: true });
  useShortcut('g a', goTo(say('sidebar.addItem')), () => navigate(paths.addItem), {
    everywhere: true,
    enabled: may('changeItems'),
  });
  useShortcut('g l', goTo(say('palette.history')), () => navigate(paths.history), { everywhere: true });
  useShortcut(HELP_KEYS, say('shortcuts.help'), openHelp, { everywhere: true });
}

function focusSearch(place: string): boolean {
  const field = document.querySelector<HTMLInputElement>(`${place} input[type="search"]`);
  if (!field?.checkVisibility()) return false;
  field.focus();
  field.select();
  return true;
}
