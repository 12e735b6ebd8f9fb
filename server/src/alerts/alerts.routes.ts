import { listAlerts as list, seeAlerts as markSeen } from '@perfume/contract/alerts';
import type { FastifyInstance } from 'fastify';
import { type Deps, sendJson, serve } from '../http/serve.ts';
import { type AlertCursor, type AlertPosition, listAlerts, markAlertsSeen } from './alerts.store.ts';

const DEFAULT_LIMIT = 20;

export function alertRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps;

  serve(app, deps, list, async ({ query, user, house, request, reply }) => {
    const { limit = DEFAULT_LIMIT } = query;
    const page = await listAlerts(db, house, user, { limit, after: query.cursor ? readCursor(query.cursor) : null });
    reply.header('x-alerts-about', page.about).header('x-unseen-count', page.unseen);
    reply.header('x-alerts-up-to', `${page.upTo.txid}-${page.upTo.num}`);
    if (page.next) {
      reply.header('link', `</alerts?limit=${limit}&cursor=${page.next.at}-${page.next.num}>; rel="next"`);
    }
    request.rowsRead = page.alerts.length;
    return sendJson(reply, 200, page.alerts);
  });

  serve(app, deps, markSeen, async ({ body, user, house, reply }) =>
    sendJson(reply, 200, { unseen: await markAlertsSeen(db, house, user, readPosition(body.upTo)) }),
  );
}

// The contract has already checked the format of the texts that these two functions read.

function readCursor(text: string): AlertCursor {
  const [at, num] = text.split('-').map(Number);
  return { at: at ?? 0, num: num ?? 0 };
}

function readPosition(text: string): AlertPosition {
  const [txid, num] = text.split('-').map(Number);
  return { txid: txid ?? 0, num: num ?? 0 };
}
