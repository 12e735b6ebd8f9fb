import type { HouseAction } from '@perfume/domain/houses';
import {
  Bookmark,
  ChartNoAxesCombined,
  ClipboardList,
  ClipboardPen,
  LayoutDashboard,
  type LucideIcon,
  MessageSquare,
  Package,
  PackagePlus,
  ScanBarcode,
  Settings,
} from 'lucide-react';
import { paths } from '../../paths.ts';
import type { Key } from '../../words/catalogues.ts';

export type ShellLink = {
  to: string;
  word: Extract<Key, `sidebar.${string}`>;
  icon: LucideIcon;
  /** What the page is for, if not everybody may do it. */
  does?: HouseAction;
};

/**
 * Returns the sidebar's links: the floor, then those of the spec in its order. `manage` is the address of Manage Inventory with the filters
 * last used; on the page of an item, a link to that item replaces it. Messages has no page yet and opens the not-found
 * page.
 */
export function shellLinks(manage: string, itemId: string | undefined): ShellLink[] {
  return [
    { to: paths.floor, word: 'sidebar.floor', icon: ScanBarcode, does: 'moveStock' },
    { to: paths.adminHome, word: 'sidebar.adminHome', icon: LayoutDashboard },
    { to: paths.myItems, word: 'sidebar.myItems', icon: Package },
    itemId === undefined
      ? { to: manage, word: 'sidebar.manageInventory', icon: ClipboardList }
      : { to: paths.item(itemId), word: 'sidebar.updateInventory', icon: ClipboardPen },
    { to: paths.addItem, word: 'sidebar.addItem', icon: PackagePlus, does: 'changeItems' },
    { to: paths.analysetic, word: 'sidebar.analytics', icon: ChartNoAxesCombined },
    { to: `${paths.dashboard}/admin-chat`, word: 'sidebar.messages', icon: MessageSquare },
    { to: paths.settings, word: 'sidebar.settings', icon: Settings },
    { to: paths.saved, word: 'sidebar.saved', icon: Bookmark },
  ];
}
