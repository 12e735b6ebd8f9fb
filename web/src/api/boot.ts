import type { ProviderId, WireUser } from '@perfume/contract/identity';
import type { WirePublishedHouse } from '@perfume/contract/items';
import type { PublicWireItem } from '@perfume/contract/wire-item';
import { createContext, use } from 'react';

/**
 * Data that arrives with the HTML, so that the first paint needs no further request. The server writes it as JSON into
 * `#boot`.
 */
export type Boot = {
  user: WireUser | null;
  /** The id of the last event of the change feed when the server made this page; null for visitors. */
  feed: string | null;
  /** The first page of the grid of the home page or of a house; null on other pages and when the address has a search. */
  items: ItemPage | null;
  /** If the page is that of a house: its address, and the house, or null if visitors see no such house. */
  house: { pathname: string; found: WirePublishedHouse | null } | null;
  demo: boolean;
  /** Who may open a new account: everyone, people who were invited, or nobody. */
  signUp: 'open' | 'invited' | 'closed';
  /** Whether everyone shares one stock, or each house has its own people and items. */
  access: 'open' | 'houses';
  /** The social sign-in buttons to show, and what each provider is called. */
  providers: ProviderId[];
  providerNames: Partial<Record<ProviderId, string>>;
  contact: Contact;
  /** A tile server for the map, as `https://host/{z}/{x}/{y}.png`; null shows only the bundled outlines. */
  tiles: string | null;
};

/** Under `vite dev` no server writes boot data, so the user is unknown at first. */
export type PageBoot = Omit<Boot, 'user'> & { user?: Boot['user'] };

/** A page of public items. `next` is the cursor of the following page, or null on the last one. */
export type ItemPage = { list: PublicWireItem[]; total: number; next: string | null };

export type Contact = {
  address: string;
  lat: number;
  lon: number;
  technical: string;
  stock: string;
  policy: string;
  bugs: string;
};

/** Boot data for `vite dev`, where no server writes any. */
const emptyBoot: PageBoot = {
  feed: null,
  items: null,
  house: null,
  demo: true,
  signUp: 'open',
  access: 'open',
  providers: ['github', 'google'],
  providerNames: { github: 'GitHub', google: 'Google' },
  contact: {
    address: '12 Rue de la Fontaine, 06130 Grasse, France',
    lat: 43.6589,
    lon: 6.9236,
    technical: 'support@perfume.example',
    stock: 'stock@perfume.example',
    policy: 'policy@perfume.example',
    bugs: 'bugs@perfume.example',
  },
  tiles: null,
};

export function readBoot(): PageBoot {
  const text = document.getElementById('boot')?.textContent;
  return text ? { ...emptyBoot, ...(JSON.parse(text) as Partial<PageBoot>) } : emptyBoot;
}

export const BootContext = createContext<Boot>({ ...emptyBoot, user: null });

export function useBoot(): Boot {
  return use(BootContext);
}
