import { listAlerts as list, seeAlerts as see } from '@perfume/contract/alerts';
import type { FastifyInstance } from 'fastify';
import { type Deps, sendJson, serve } from '../http/serve.ts';
import { type AlertCursor, listAlerts, type Place, seeAlerts } from './alerts.store.ts';

const PAGE = 20;

export function alertRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps;

  serve(app, deps, list, async ({ query, user, reply }) => {
    const { limit = PAGE } = query;
    const page = await listAlerts(db, user, { limit, after: query.cursor ? readCursor(query.cursor) : null });
    reply.header('x-alerts-about', page.about).header('x-unseen-count', page.unseen);
    reply.header('x-alerts-up-to', `${page.upTo.txid}-${page.upTo.num}`);
    if (page.next) {
      reply.header('link', `</alerts?limit=${limit}&cursor=${page.next.at}-${page.next.num}>; rel="next"`);
    }
    return sendJson(reply, 200, page.alerts);
  });

  serve(app, deps, see, async ({ body, user, reply }) =>
    sendJson(reply, 200, { unseen: await seeAlerts(db, user, readPlace(body.upTo)) }),
  );
}

// The contract has looked at the shape of both.

function readCursor(text: string): AlertCursor {
  const [at, num] = text.split('-').map(Number);
  return { at: at ?? 0, num: num ?? 0 };
}

function readPlace(text: string): Place {
  const [txid, num] = text.split('-').map(Number);
  return { txid: txid ?? 0, num: num ?? 0 };
}
