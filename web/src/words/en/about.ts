import type { Catalogue } from '../message.ts';

export const words = {
  'about.heading': 'A counting house for perfume',
  'about.lead':
    'Perfume Warehouse is the stock ledger of dealers and suppliers: what stands on the shelf, who moved it, and when.',
  'about.whom.heading': 'For whom',
  'about.whom.1':
    'For the dealer with forty bottles in a back room and the supplier with forty thousand in a hall. For the person who unpacks the crate, the one who sells from it, and the one who has to explain the number at the end of the month.',
  'about.whom.2':
    'You see the public shelf without an account. With one you add items, deliver and restock, find your own among everyone’s, and take back what was a mistake.',
  'about.exact.heading': 'How the stock stays exact',
  'about.exact.1':
    'A quantity here is never just overwritten. Every delivery and every restock is a line in a ledger that is only ever added to: how many, which way, what was left, who and when. The number on the screen is the sum of those lines, always, and the database refuses anything else.',
  'about.exact.2':
    'When two people press Delivered together, both count, because the server is told the change each of them meant and not the total each of them saw. When the connection breaks and the button is pressed again, it is the same delivery, not a second one. And the last bottle is sold once.',
  'about.kept.heading': 'How your data is kept',
  'about.kept.1':
    'It lives where you run it: in one file on one machine, or in a PostgreSQL cluster with as many servers as you like. Nothing on these pages is fetched from anybody else: no trackers, no foreign fonts, no advertising. The map is drawn from outlines we ship.',
  'about.kept.2':
    'Public pages never show a dealer’s e-mail address. Passwords are stored only as slow hashes; the sign-in is a cookie that scripts cannot read. Deleted items can be restored, and the history of what happened stays.',
  'about.open.heading': 'Open on all sides',
  'about.open.1':
    'Everything the pages do goes through one documented interface, which you may use as well. The whole of it is free software.',
  'about.open.api': 'Read the API reference',
  'about.open.licence': 'Read the licence',
  'about.reach.heading': 'How to reach us',
  'about.reach.1': 'Write to us about anything on these pages. A person answers, within one working day.',
  'about.reach.map': 'Map and all desks',
} as const satisfies Catalogue;
