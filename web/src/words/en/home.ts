import type { Catalogue } from '../message.ts';

// The home page, as the spec spells it.
export const words = {
  'hero.eyebrow': 'For dealers and suppliers',
  'hero.lead':
    'Every bottle counted, every movement kept. The stock ledger that a whole team can use at once and nobody can break.',
  'hero.getStarted': 'Get started',
  'hero.liveDemo': 'Live demo',
  'hero.demoFailed': 'Could not open the demo. Please try again.',

  'pitch.eyebrow': 'Why a ledger',
  'pitch.heading': 'A shelf you can trust is a shelf that remembers.',
  'pitch.lead':
    'Most stock lists keep one number and overwrite it. We keep every movement behind that number, so it can always be explained and is never quietly lost.',
  'pitch.exact.heading': 'Exact by construction',
  'pitch.exact.text':
    'Two people press Delivered at the same moment: two bottles leave the shelf, not one. Nothing ever goes below zero.',
  'pitch.live.heading': 'Live on every screen',
  'pitch.live.text': 'What your colleague moves in the stock room shows on your screen within a second.',
  'pitch.undo.heading': 'Nothing is lost',
  'pitch.undo.text': 'A wrong delivery, a deleted item: undo it. The history keeps every step, with a name and a time.',
  'pitch.sample.caption': 'A page from the ledger',
  'pitch.sample.delivered': 'Delivered',
  'pitch.sample.restocked': 'Restocked',
  'pitch.sample.undone': 'Undone',
  'pitch.sample.onHand': 'On hand',
  'pitch.sample.when': 'Time',
  'pitch.sample.movement': 'Movement',
  'pitch.sample.change': 'Change',

  'why.heading': 'Why You Should Use',
  'why.dealers': 'dealers',
  'why.reviews': 'positive reviews',
  'why.customizable': 'customizable',
  'why.caption': 'Sample figures',

  'support.heading': 'Our Location & Support',
  'support.lead': 'Write to the right team. A person reads every message and answers within one working day.',
  'support.technical.heading': 'Technical support',
  'support.technical.text': 'Logging in, devices, imports, the API.',
  'support.stock.heading': 'Stock questions',
  'support.stock.text': 'Counts, movements, anything that does not add up.',
  'support.policy.heading': 'Daily policy',
  'support.policy.text': 'Opening hours, deliveries, returns, privacy.',
  'support.bugs.heading': 'Bug report',
  'support.bugs.text': 'Tell us what you did and what you saw.',
  'map.label': 'Map of our location',
  'map.hint': 'Use the arrow keys to move the map, plus and minus to zoom.',
  'map.zoomIn': 'Zoom in',
  'map.zoomOut': 'Zoom out',
  'map.recenter': 'Back to our address',
  'map.failed': 'Could not show the map. Our address is below.',
  'map.address': 'Address',

  'closing.heading': 'Open the ledger. Count the first bottle.',
  'closing.lead': 'One account, no credit card. Your warehouse is ready in a minute.',
} as const satisfies Catalogue;
