import {
  checkViewName,
  checkViewQuery,
  MAX_VIEW_EMAILS,
  MAX_VIEWS,
  VIEW_NAME_MAX,
  VIEW_QUERY_MAX,
  viewPages,
} from '@perfume/domain/views';
import * as z from 'zod/mini';
import { endpointsOf } from './endpoint.ts';
import { field, idParams } from './fields.ts';
import { wireActor } from './identity.ts';

const endpoint = endpointsOf('Saved views');

const name = field(checkViewName, { type: 'string', minLength: 1, maxLength: VIEW_NAME_MAX });
const page = z.enum(viewPages);
const query = field(checkViewQuery, {
  type: 'string',
  maxLength: VIEW_QUERY_MAX,
  description: 'The query string of the page, without the question mark',
});

export const wireView = z.strictObject({
  id: z.string(),
  name: z.string(),
  page,
  query: z.string(),
  /** Everybody in the house sees it. */
  shared: z.boolean(),
  /** It is in the sidebar of everybody who sees it. */
  pinned: z.boolean(),
  /** The user gets an email when the view is no longer empty. */
  email: z.boolean(),
  /** Whether the user saved it, and so may change it. */
  mine: z.boolean(),
  by: wireActor,
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type WireView = z.output<typeof wireView>;

export const listViews = endpoint({
  method: 'GET',
  path: '/views',
  summary: 'Your saved views and those that others share: first your own, the newest first; at most 1,000',
  who: 'user',
  replies: { 200: z.array(wireView) },
  problems: [],
});

export const createView = endpoint({
  method: 'POST',
  path: '/views',
  summary: 'Save the filters of a page under a name',
  description: `At most ${MAX_VIEWS} views per person, of which ${MAX_VIEW_EMAILS} with \`email\`: an email to yourself when a view of items is no longer empty. To share one with the house takes the role of a keeper.`,
  who: 'user',
  headers: {
    'idempotency-key': 'A UUID that the client creates for this request; it becomes the id of the view',
  },
  body: z.strictObject({
    name,
    page,
    query,
    shared: z.optional(z.boolean()),
    pinned: z.optional(z.boolean()),
    email: z.optional(z.boolean()),
  }),
  replies: { 201: wireView },
  problems: ['invalid_header', 'invalid_input', 'too_many_views', 'too_many_view_emails', 'key_reused'],
});

export const changeView = endpoint({
  method: 'PUT',
  path: '/views/:id',
  summary: 'Change a view of your own, or restore a deleted one',
  description:
    'Fields that are missing stay as they are. A deleted view can be restored for a day, under the same id. `email` alone can be changed for a view that somebody else shares, too.',
  who: 'user',
  params: idParams,
  body: z.strictObject({
    name: z.optional(name),
    page: z.optional(page),
    query: z.optional(query),
    shared: z.optional(z.boolean()),
    pinned: z.optional(z.boolean()),
    email: z.optional(z.boolean()),
  }),
  replies: { 200: wireView },
  problems: ['invalid_input', 'view_not_found', 'too_many_views', 'too_many_view_emails'],
});

export const deleteView = endpoint({
  method: 'DELETE',
  path: '/views/:id',
  summary: 'Delete a view of your own',
  who: 'user',
  params: idParams,
  replies: { 200: z.strictObject({ id: z.string() }) },
  problems: ['view_not_found'],
});
