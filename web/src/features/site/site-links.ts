import { paths } from '../../paths.ts';

type SiteLink = {
  to: string;
  word: `nav.${'home' | 'about' | 'blogs' | 'manageInventory' | 'addItem' | 'myItems'}`;
};

/** The links of the navbar for everyone. Signed-in users also see `signedInLinks`. */
export const everyoneLinks: SiteLink[] = [
  { to: paths.home, word: 'nav.home' },
  { to: paths.about, word: 'nav.about' },
  { to: paths.blogs, word: 'nav.blogs' },
];

export const signedInLinks: SiteLink[] = [
  { to: paths.manageInventory, word: 'nav.manageInventory' },
  { to: paths.addItem, word: 'nav.addItem' },
  { to: paths.myItems, word: 'nav.myItems' },
];
