import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { wireItem } from './items.ts';

/** One change, as every open screen hears of it. A deleted item comes without its fields. */
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
  who: 'user',
  headers: { 'last-event-id': 'The id of the last event received' },
  replies: { 200: changeEvent },
  problems: ['invalid_header'],
});
