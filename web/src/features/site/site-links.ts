import { useBoot } from '../../api/boot.ts';
import { useMay } from '../../live/may.ts';
import { paths } from '../../paths.ts';

type SiteLink = {
  to: string;
  word: `nav.${'home' | 'about' | 'blogs' | 'manageInventory' | 'addItem' | 'myItems'}`;
};

/** The links of the navbar for everyone. */
export const everyoneLinks: SiteLink[] = [
  { to: paths.home, word: 'nav.home' },
  { to: paths.about, word: 'nav.about' },
  { to: paths.blogs, word: 'nav.blogs' },
];

const signedInLinks: SiteLink[] = [
  { to: paths.manageInventory, word: 'nav.manageInventory' },
  { to: paths.addItem, word: 'nav.addItem' },
  { to: paths.myItems, word: 'nav.myItems' },
];

export function useSiteLinks(): SiteLink[] {
  const { user } = useBoot();
  const mayAdd = useMay()('changeItems');
  if (!user) return everyoneLinks;
  return [...everyoneLinks, ...signedInLinks.filter(({ to }) => mayAdd || to !== paths.addItem)];
}
