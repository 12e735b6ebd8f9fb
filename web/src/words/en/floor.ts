import type { Catalogue } from '../message.ts';

// The floor: deliver, receive, count and find by scanning or tapping.
export const words = {
  'floor.mode': 'What a scan does',
  'floor.deliver': 'Deliver',
  'floor.receive': 'Receive',
  'floor.count': 'Count',
  'floor.find': 'Find',
  'floor.sound': 'Sound',
  'floor.vibration': 'Vibration',

  'floor.start.deliver': 'Scan a bottle to deliver it, or tap an item.',
  'floor.start.receive': 'Scan a bottle to receive it, or tap an item.',
  'floor.start.count': 'Scan bottle after bottle to count them, or tap an item and type the number.',
  'floor.start.find': 'Scan a bottle to open its page, or tap an item.',

  'floor.journal': 'Just done',
  'floor.earlier': { one: '{count} earlier', other: '{count} earlier' },
  'floor.left': 'left',
  'floor.undone': 'Undone',
  'floor.units': 'Units of {name}',
  'floor.dismiss': 'Dismiss',
  'floor.says.deliver': 'Delivered {units} × {name}',
  'floor.says.receive': 'Received {units} × {name}',
  'floor.says.count': 'Counted {count} × {name}',
  'floor.says.undone': 'Undone: {units} × {name}',

  'floor.refused.deliver': 'Not delivered',
  'floor.refused.receive': 'Not received',
  'floor.refused.count': 'Count not saved',
  'floor.countIt': 'Count it',
  'floor.receiveIt': 'Receive it',

  'floor.looking': 'Looking up {code}…',
  'floor.attach': 'Attach to an item',
  'floor.attaching': 'Tap the item that has the code {code}.',
  'floor.attached': '{name} now has the code {code}.',
  'floor.notAttached': 'The code {code} was not attached.',

  'floor.countTogether': 'Count with others',
  'floor.countedWas': 'counted, {count} recorded before',
  'floor.asRecorded': 'counted, as recorded',

  'floor.search': 'Search for an item',
  'floor.placeholder': 'Name, supplier or code',
  'floor.recent': 'Recent and frequent items',
  'floor.results': 'Found items',
  'floor.onHand': 'on hand',
  'floor.tap.deliver': 'Deliver one:',
  'floor.tap.receive': 'Receive one:',
  'floor.tap.count': 'Count:',
  'floor.tap.attach': 'Attach the code to:',
  'floor.noItems': 'There are no items yet.',
  'floor.nothing': 'No items match “{q}”.',
  'floor.loadFailed': 'Could not load the items.',
} as const satisfies Catalogue;
