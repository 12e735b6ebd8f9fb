import type { ServerResponse } from 'node:http';
import { type ChangeEvent, events } from '@perfume/contract/feed';
import { toWire } from '@perfume/contract/wire-item';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Change, changesAfter, latestPosition, type Position, stillHeld } from '../db/core/changes.ts';
import { refreshDataVersion } from '../http/data-version.ts';
import { Problem } from '../http/problem.ts';
import { type Deps, serve } from '../http/serve.ts';
import { findItems } from '../items/items.store.ts';

const HEARTBEAT_MS = 15_000;
/** Of the 4,000 connections there can be, so that open screens never take the last one. */
const MOST_STREAMS = 3_000;
const MOST_STREAMS_OF_ONE_PERSON = 30;
/** A screen that takes nothing off the wire is let go; it comes back by itself and resumes. */
const MOST_UNSENT_BYTES = 1024 * 1024;
const TAKE_WITHIN_MS = 30_000;
const END_WITHIN_MS = 2_000;

/** `reached` is the last change this screen has been told of; who has reached the others has joined them. */
type Stream = {
  reply: FastifyReply;
  request: FastifyRequest;
  userId: string;
  reached: Position;
  hasJoined: boolean;
};

const NOWHERE: Position = { txid: 0, seq: 0 };

/** Every change, to every open screen. Each event is read and serialised once, whoever listens. */
export function eventRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, whoIs } = deps;
  /** Every one from the moment it is let in, also while it catches up. */
  const streams = new Set<Stream>();
  const joined = () => [...streams].filter(({ hasJoined }) => hasJoined);
  let position: Position | null = null;
  let pumping = false;
  let again = false;

  async function pump(): Promise<void> {
    if (!position || streams.size === 0) return;
    again = true;
    if (pumping) return;
    pumping = true;
    try {
      while (again && position) {
        again = false;
        const from: Position = position;
        const changes = await changesAfter(db, from);
        if (changes.length === 0) continue;
        const frames = await toFrames(changes);
        again = true;
        // Everyone this was read for has left meanwhile, and whoever joined since may stand somewhere else.
        if (position !== from) continue;
        position = changes.at(-1) ?? from;
        for (const stream of joined()) tell(stream, changes, frames);
      }
    } catch (error) {
      app.log.warn({ err: error }, 'the change feed could not be read');
    } finally {
      pumping = false;
    }
  }

  async function toFrames(changes: Change[]): Promise<string[]> {
    const items = await findItems(db.query, [...new Set(changes.map((change) => change.itemId))]);
    return changes.map((change) => {
      const item = items.get(change.itemId);
      const event: ChangeEvent = {
        id: eventId(change),
        itemId: change.itemId,
        kind: change.kind,
        item: item ? toWire(item) : null,
      };
      return `id: ${event.id}\nevent: change\ndata: ${JSON.stringify(event)}\n\n`;
    });
  }

  function tell(stream: Stream, changes: Change[], frames: string[]): void {
    const news = frames.filter((_, index) => isBefore(stream.reached, changes[index] ?? stream.reached));
    if (news.length === 0) return;
    write(stream, news.join(''));
    stream.reached = changes.at(-1) ?? stream.reached;
  }

  function write(stream: Stream, text: string): void {
    const { raw } = stream.reply;
    if (isOver(raw)) return;
    if (raw.writableLength > MOST_UNSENT_BYTES) raw.destroy();
    else raw.write(text);
  }

  /** Who takes nothing off the wire does not take the end of it either. */
  function end(stream: Stream): void {
    const { raw } = stream.reply;
    leave(stream);
    raw.end();
    const patience = setTimeout(() => raw.destroy(), END_WITHIN_MS);
    raw.once('close', () => clearTimeout(patience));
  }

  /** Sends what the screen missed, then lets it join the others. */
  async function catchUp(stream: Stream): Promise<void> {
    if (!(await stillHeld(db, stream.reached))) {
      write(stream, 'event: reset\ndata: {}\n\n');
      stream.reached = await latestPosition(db);
    }
    let missed: Change[];
    do {
      missed = await changesAfter(db, stream.reached);
      if (missed.length > 0) tell(stream, missed, await toFrames(missed));
      // A portion at a time, as fast as the screen takes it: who was away for long must not drown in what was missed.
      await taken(stream.reply.raw);
      // SQLite answers without waiting: others come in between all the same.
      await new Promise(setImmediate);
      if (isOver(stream.reply.raw)) return;
      // Even when nothing was missed at the last read: the others may have been told of something since.
    } while (position ? isBefore(stream.reached, position) : missed.length > 0);
    position ??= stream.reached;
    stream.hasJoined = true;
    void pump();
  }

  function leave(stream: Stream): void {
    streams.delete(stream);
    if (joined().length === 0) position = null;
  }

  serve(app, deps, events, async ({ user, request, reply }) => {
    const since = readEventId(request.headers['last-event-id']);
    const own = [...streams].filter((stream) => stream.userId === user.id).length;
    if (streams.size >= MOST_STREAMS || own >= MOST_STREAMS_OF_ONE_PERSON) throw new Problem('too_many');
    // Who asks for the head alone gets no stream, and holds no place among the listeners.
    if (request.method === 'HEAD') return reply.header('content-type', 'text/event-stream; charset=utf-8').send();
    const { raw } = reply;
    const stream: Stream = { reply, request, userId: user.id, reached: NOWHERE, hasJoined: false };
    streams.add(stream);
    raw.once('close', () => leave(stream));
    const start = since ?? (await latestPosition(db));
    stream.reached = start;

    reply.hijack();
    // A line that breaks is no fault of ours, and ends nothing but itself.
    raw.on('error', () => {});
    for (const [name, value] of Object.entries(reply.getHeaders())) raw.setHeader(name, value as string);
    raw.setHeader('content-type', 'text/event-stream; charset=utf-8');
    raw.setHeader('cache-control', 'no-store');
    raw.setHeader('x-accel-buffering', 'no');
    raw.writeHead(200);
    raw.socket?.setTimeout(0);
    raw.socket?.setNoDelay(true);

    // The place in the feed goes out first, so even a screen that has heard nothing yet can resume.
    raw.write(`retry: 1000\n${since ? '' : `id: ${eventId(start)}\n`}event: hello\ndata: {}\n\n`);
    try {
      await catchUp(stream);
    } catch (error) {
      app.log.warn({ err: error }, 'a screen could not catch up');
      // It comes back by itself; left open it would believe that nothing happens.
      raw.destroy();
    }
    return reply;
  });

  const stopListening = db.onCommit(() => void pump());

  // Who has signed out since does not go on listening.
  const heartbeat = setInterval(async () => {
    for (const stream of [...streams]) {
      if (!stream.reply.raw.headersSent) continue;
      refreshDataVersion(stream.request);
      const user = await whoIs.byCookie(stream.request).catch(() => 'unknown' as const);
      if (user !== 'unknown' && !user?.emailVerified) end(stream);
      // A comment for whoever reads the wire, and an event for browsers, which do not show comments.
      else write(stream, ': beat\nevent: beat\ndata: {}\n\n');
    }
  }, HEARTBEAT_MS);
  heartbeat.unref();

  // Open streams would keep the server from closing.
  app.addHook('preClose', async () => {
    clearInterval(heartbeat);
    stopListening();
    for (const stream of [...streams]) end(stream);
  });
}

function isOver(raw: ServerResponse): boolean {
  return raw.destroyed || raw.writableEnded;
}

/** Until what was written has left, or the listener has; who takes nothing at all is let go. */
async function taken(raw: ServerResponse): Promise<void> {
  if (isOver(raw) || !raw.writableNeedDrain) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const patience = setTimeout(() => raw.destroy(), TAKE_WITHIN_MS);
  raw.once('drain', resolve).once('close', resolve);
  await promise;
  clearTimeout(patience);
  raw.off('drain', resolve).off('close', resolve);
}

function eventId(position: Position): string {
  return `${position.txid}-${position.seq}`;
}

function readEventId(header: unknown): Position | null {
  if (header === undefined || header === '') return null;
  const match = /^([0-9]{1,15})-([0-9]{1,15})$/.exec(String(header));
  if (!match) throw new Problem('invalid_header', { fields: { 'Last-Event-ID': 'Not an event of ours' } });
  return { txid: Number(match[1]), seq: Number(match[2]) };
}

function isBefore(a: Position, b: Position): boolean {
  return a.txid < b.txid || (a.txid === b.txid && a.seq < b.seq);
}
