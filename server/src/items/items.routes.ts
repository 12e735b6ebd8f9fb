import { stringify } from 'node:querystring';
import {
  createItem as create,
  deleteItem as del,
  editItem as edit,
  findItem as find,
  findPublishedHouse as findHouse,
  type ListQuery,
  listAllItems,
  listMyItems,
  listPublicItems,
  restoreItem as restore,
  toEdit,
  toNewItem,
  wireNameOf,
} from '@perfume/contract/items';
import type { ProblemCode } from '@perfume/contract/problems';
import { idInQuery, itemQuery, toPublicWire, toWire, toWireNames } from '@perfume/contract/wire-item';
import { emailKey } from '@perfume/domain/email';
import type { Item } from '@perfume/domain/items';
import { parseUuid } from '@perfume/domain/uuid';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import pLimit from 'p-limit';
import type { Config } from '../config.ts';
import type { Idempotency } from '../db/core/idempotency.ts';
import { newId } from '../db/core/ids.ts';
import { SHARED_HOUSE } from '../db/core/shared-house.ts';
import { dataVersionOf, refreshDataVersion } from '../http/data-version.ts';
import { letOthersRun } from '../http/let-others-run.ts';
import { idOf } from '../http/path-id.ts';
import { Problem } from '../http/problem.ts';
import { type Deps, sendCached, sendJson, serve } from '../http/serve.ts';
import { codeTaken } from './code-taken.ts';
import { editItem } from './edit.store.ts';
import type { Action, Actor } from './item-events.ts';
import { cacheUntilEdit, cursorText, findPage, type ListRequest, readCursor } from './items.list.ts';
import { createItem, deleteItem, findItemOf, restoreItem } from './items.store.ts';
import { jsonInSteps } from './json-in-steps.ts';
import { findPublishedHouse, type PublishedHouse, toPublicWireWithHouses } from './published.store.ts';

const HOME_LIMIT = 50;
const LIST_LIMIT = 1_000;
/** A long list may have 20 MB. Everybody's take turns, so that few of them are in memory. */
const MAX_LONG_LISTS = 2;

export function itemRoutes(app: FastifyInstance, deps: Deps & { config: Config }): void {
  const { config, db, cache, keepPicture } = deps;
  const writeFew = pLimit(MAX_LONG_LISTS);

  /**
   * Reads and serialises a response once, and returns it from the cache until anything changes. Concurrent requests
   * share one read.
   */
  function cached<T extends { body: string | Buffer }>(
    request: FastifyRequest,
    key: string,
    load: () => Promise<T>,
  ): Promise<T> {
    return cache.getOrLoad(dataVersionOf(cache, request), key, load, (answer) => answer.body.length);
  }

  /**
   * The same for lists. Those of one person that are not in the cache take turns, because a page may be large. Searches,
   * which may take seconds, have a turn of their own.
   */
  async function cachedInTurns<T extends { body: string | Buffer }>(
    request: FastifyRequest,
    reply: FastifyReply,
    { key, isSearch }: { key: string; isSearch: boolean },
    load: () => Promise<T>,
  ): Promise<T> {
    const isCached = () => cache.has(dataVersionOf(cache, request), key);
    const get = () => cached(request, key, load);
    if (await isCached()) return get();
    return deps.limitReads(isSearch ? `${request.asker} searches` : request.asker, async () => {
      // Nobody waits for this list any more.
      if (reply.raw.destroyed) throw new Problem('too_many');
      // Something may have changed while this waited, and another list may have been read since.
      refreshDataVersion(request);
      if (!(await isCached())) await letOthersRun();
      if (deps.hasTooMuchUnsent(request.asker)) throw new Problem('too_many');
      return get();
    });
  }

  async function sendList(
    { query, request, reply }: { query: ListQuery; request: FastifyRequest; reply: FastifyReply },
    view: {
      path: string;
      limit: number;
      house: ListRequest['house'];
      emailKey: string | null;
      isPublic?: true;
      toWire: (items: Item[]) => unknown[] | Promise<unknown[]>;
    },
  ): Promise<FastifyReply> {
    const sort = query.sort ?? 'newest';
    const list = {
      limit: query.limit ?? view.limit,
      sort,
      q: query.q ?? null,
      stock: query.stock ?? null,
      house: view.house,
      emailKey: view.emailKey,
      ...(view.isPublic && { isPublic: true }),
      skip: query.skip ?? 0,
      after: query.cursor === undefined ? null : readCursor(query.cursor, sort),
    };
    if (query.cursor !== undefined && !list.after) {
      throw new Problem('invalid_query', { fields: { cursor: { code: 'not_a_cursor' } } });
    }
    if (list.after && list.skip > 0) {
      throw new Problem('invalid_query', { fields: { skip: { code: 'not_both', names: ['skip', 'cursor'] } } });
    }
    const page = await cachedInTurns(
      request,
      reply,
      { key: view.path + JSON.stringify(list), isSearch: list.q !== null },
      async () => {
        const { steps, isLong, total, next } = await findPage(
          db,
          list,
          cacheUntilEdit(db, cache, dataVersionOf(cache, request), list),
        );
        const write = () => jsonInSteps(steps, view.toWire);
        return { ...(await (isLong ? writeFew(write) : write())), total, next: next && cursorText(next) };
      },
    );
    reply.header('x-total-count', page.total);
    request.rowsRead = page.rows;
    // The link is not cached with the body, because different query strings can share one cached body.
    if (page.next) reply.header('link', `<${nextPage(view.path, query, page.next)}>; rel="next"`);
    return sendCached(reply, request, page);
  }

  /** The house with the public page `slug`. A house that is not published is answered like one that does not exist. */
  async function publishedHouse(slug: string): Promise<PublishedHouse> {
    const house = config.access === 'open' ? null : await findPublishedHouse(db.query, slug);
    if (!house) throw new Problem('house_not_found');
    return house;
  }

  serve(app, deps, listPublicItems, async (call) => {
    const { house: slug } = call.query;
    const one = slug === undefined ? null : await publishedHouse(slug);
    call.reply.header('cache-control', 'no-cache');
    const everything = { path: listPublicItems.path, limit: HOME_LIMIT, emailKey: null, isPublic: true } as const;
    if (config.access === 'open') {
      return sendList(call, { ...everything, house: SHARED_HOUSE, toWire: (items) => items.map(toPublicWire) });
    }
    const toWire = (items: Item[]) => toPublicWireWithHouses(db.query, items);
    return sendList(call, { ...everything, house: one?.num ?? 'published', toWire });
  });

  serve(app, deps, findHouse, async ({ params, reply }) => {
    const { name, slug } = await publishedHouse(params.slug);
    reply.header('cache-control', 'no-cache');
    return sendJson(reply, 200, { name, slug });
  });

  const toWireList = (items: Item[]) => items.map(toWire);

  serve(app, deps, listAllItems, async ({ house, ...call }) =>
    sendList(call, { path: listAllItems.path, limit: LIST_LIMIT, house, emailKey: null, toWire: toWireList }),
  );

  serve(app, deps, listMyItems, async (call) => {
    const mine = emailKey(call.user.email);
    if (emailKey(call.query.email) !== mine) throw new Problem('email_mismatch');
    const { house } = call;
    return sendList(call, { path: listMyItems.path, limit: LIST_LIMIT, house, emailKey: mine, toWire: toWireList });
  });

  serve(app, deps, find, async ({ query, house, request, reply }) => {
    const id = parseUuid(idInQuery(query));
    if (id === null) return sendJson(reply, 200, []);
    const found = await cached(request, `item ${house} ${id}`, async () => {
      const item = await findItemOf(db.query, house, id);
      return {
        body: JSON.stringify(item ? [toWire(item)] : []),
        // The response also depends on the house's reorder point, which changes no item's version.
        etag: item ? `"${item.version}-${item.lowAt}"` : '"none"',
      };
    });
    request.rowsRead = 1;
    return sendCached(reply, request, found);
  });

  serve(app, deps, create, async ({ body, user, house, idempotency, now, reply }) => {
    const item = toNewItem(body);
    if (!(await keepPicture(item.imageUrl, now)))
      throw new Problem('invalid_input', { fields: { [wireNameOf.imageUrl]: { code: 'picture_gone' } } });
    const outcome = await createItem(db, {
      house,
      id: idempotency?.key ?? newId(now),
      item,
      actor: user,
      at: now,
      idempotency,
    });
    if (!outcome.ok) throw outcome.reason === 'code_taken' ? codeTaken(outcome) : refused(outcome);
    reply.header('location', `${find.path}?${itemQuery(outcome.item.id)}`).header('etag', `"${outcome.item.version}"`);
    return sendJson(reply, 201, toWire(outcome.item));
  });

  serve(app, deps, del, async ({ params, user, idempotency, now, reply }) => {
    const id = idOf(params, 'item_not_found');
    const outcome = await deleteItem(db, { itemId: id, action: actionOf(user, idempotency, now), idempotency });
    if (!outcome.ok) throw refused(outcome);
    return sendJson(reply, 200, toWireNames({ id, deletedCount: outcome.deletedCount }));
  });

  serve(app, deps, edit, async ({ params, body, user, idempotency, now, reply }) => {
    const wanted = toEdit(body.changes);
    if (wanted.imageUrl !== undefined && !(await keepPicture(wanted.imageUrl, now)))
      throw new Problem('invalid_input', { fields: { [`changes.${wireNameOf.imageUrl}`]: { code: 'picture_gone' } } });
    const outcome = await editItem(db, {
      itemId: idOf(params, 'item_not_found'),
      wanted,
      seen: toEdit(body.seen ?? {}),
      action: actionOf(user, idempotency, now),
      idempotency,
    });
    if (!outcome.ok && outcome.reason === 'edit_conflict') {
      const fields = Object.fromEntries(
        outcome.conflicts.map((field) => [wireNameOf[field], { code: 'changed_by_other' } as const]),
      );
      const { requestId } = outcome;
      throw new Problem('edit_conflict', { item: toWire(outcome.item), fields, ...(requestId && { requestId }) });
    }
    if (!outcome.ok) throw outcome.reason === 'code_taken' ? codeTaken(outcome, 'changes.') : refused(outcome);
    reply.header('etag', `"${outcome.item.version}"`);
    return sendJson(reply, 200, toWire(outcome.item));
  });

  serve(app, deps, restore, async ({ params, user, idempotency, now, reply }) => {
    const outcome = await restoreItem(db, {
      itemId: idOf(params, 'item_not_found'),
      action: actionOf(user, idempotency, now),
      idempotency,
    });
    if (!outcome.ok) throw outcome.reason === 'code_taken' ? codeTaken(outcome) : refused(outcome);
    reply.header('etag', `"${outcome.item.version}"`);
    return sendJson(reply, 200, toWire(outcome.item));
  });
}

/** Describes the action of a request. Its id is the idempotency key if the request has one. */
function actionOf(actor: Actor, idempotency: Idempotency | null, at: number): Action {
  return { id: idempotency?.key ?? newId(at), actor, at, batch: null, undoes: null };
}

function refused({ reason, requestId }: { reason: ProblemCode; requestId?: string }): Problem {
  return new Problem(reason, requestId === undefined ? {} : { requestId });
}

function nextPage(path: string, query: ListQuery, cursor: string): string {
  const { skip: _, ...filters } = query;
  return `${path}?${stringify({ ...filters, cursor })}`;
}
