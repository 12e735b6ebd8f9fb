import * as z from 'zod/mini';
import { endpointsOf } from './endpoint.ts';
import { wireItem } from './items.ts';

const endpoint = endpointsOf('Items');

/** One change of an item, sent to every open screen. `item` is null if it was deleted. */
export const changeEvent = z.strictObject({
  id: z.string(),
  itemId: z.string(),
  kind: z.enum(['created', 'stock', 'edited', 'deleted', 'restored']),
  item: z.nullable(wireItem),
});
export type ChangeEvent = z.output<typeof changeEvent>;

/** Somebody counted in a session, or changed it. Sent as an event of its own, `count`. */
const countEvent = z.strictObject({ id: z.string(), countId: z.string() });
export type CountEvent = z.output<typeof countEvent>;

export const events = endpoint({
  method: 'GET',
  path: '/events',
  summary: 'Stream every change of an item or its stock as server-sent events',
  description:
    'The first event is `hello`. Unless the stream resumes, its id is the position where it starts. Each change is a `change` event with the data below. A `count` event, `{id, countId}`, says that somebody counted in a count session. A `view` event says that a saved view has changed: load `/views` again. To resume without a gap, send the id of the last event as `Last-Event-ID` or, on the first connection, as `after`. A `reset` event means that the missed changes are no longer stored: load the lists again. A comment line and a `beat` event arrive every 15 seconds, so a stream that stays silent is broken.',
  who: 'user',
  query: z.strictObject({
    /** The id of a house: the stream is refused if the person works in another one. */
    house: z.optional(z.string()),
    /** The stream starts after the event with this id. */
    after: z.optional(z.string()),
  }),
  headers: { 'last-event-id': 'The id of the last event received' },
  replies: { 200: changeEvent },
  gives: ['text/event-stream'],
  problems: ['invalid_header', 'invalid_query', 'house_not_found'],
});
