import type { Catalogue } from '../message.ts';

export const words = {
  'about.heading': 'Exact stock counts for perfume dealers',
  'about.lead':
    'Perfume Warehouse keeps track of stock for perfume dealers and suppliers: what is on hand, who moved it, and when.',
  'about.whom.heading': 'Who it is for',
  'about.whom.1':
    'For the dealer with forty bottles in a back room and the supplier with forty thousand in a warehouse. For the person who unpacks the box, the one who sells from it, and the one who has to explain the number at the end of the month.',
  'about.whom.2':
    'Anyone can browse the public items. With an account, you can also add items, record deliveries and restocks, find your own items, and undo mistakes.',
  'about.exact.heading': 'How the stock stays exact',
  'about.exact.1':
    'A quantity is never just overwritten. Every delivery and every restock adds an entry to a ledger, and no entry is ever changed or removed. An entry says how many units came in or went out, how many were left, who made the change and when. The quantity on the screen is always the sum of those entries, and the database makes sure of it.',
  'about.exact.2':
    'When two people press Delivered at the same time, both deliveries count: each click takes one off, whatever number was on the screen. If the connection breaks and you press again, it still counts as one delivery. And the last bottle is sold only once.',
  'about.kept.heading': 'How your data is stored',
  'about.kept.1':
    'Your data stays where you run the app: in one file on one machine, or in a PostgreSQL database that several servers share. These pages load nothing from other sites: no trackers, no external fonts, no advertising. The map is drawn from outlines that come with the app.',
  'about.kept.2':
    'Public pages never show a dealer’s email address. Passwords are stored only as hashes that are slow to guess, and scripts cannot read the login cookie. Deleted items can be restored, and the history is kept.',
  'about.open.heading': 'Open API, free software',
  'about.open.1':
    'Everything these pages do goes through one documented API, which you can use too. The whole app is free software.',
  'about.open.api': 'Read the API reference',
  'about.open.licence': 'Read the licence',
  'about.reach.heading': 'How to reach us',
  'about.reach.1': 'Write to us about anything on these pages. A person answers within one working day.',
  'about.reach.map': 'Map and all contacts',
} as const satisfies Catalogue;
