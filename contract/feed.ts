import * as z from 'zod/mini';
import { endpointsOf } from './endpoint.ts';
import { wireItem } from './items.ts';

const endpoint = endpointsOf('Items');

/** One change of an item, sent to every open screen. `item` is null when it was deleted. */
export const changeEvent = z.strictObject({
  id: z.string(),
  itemId: z.string(),
  kind: z.enum(['created', 'stock', 'edited', 'deleted', 'restored']),
  item: z.nullable(wireItem),
});
export type ChangeEvent = z.output<typeof changeEvent>;

export const events = endpoint({
  method: 'GET',
  path: '/events',
  summary: 'Server-sent events: each change of an item or its stock. `Last-Event-ID` resumes without a gap',
  description:
    'The first event is `hello`; its id is the place where the stream begins. Each change comes as an event `change` with the data below. `reset` means that what was missed is no longer held: load the lists again. A comment line and an event `beat` come every 15 seconds, so a silent stream is a broken one.',
  who: 'user',
  headers: { 'last-event-id': 'The id of the last event received' },
  replies: { 200: changeEvent },
  problems: ['invalid_header'],
});
