import type { ServerResponse } from 'node:http';
import { type ChangeEvent, type CountEvent, events } from '@perfume/contract/feed';
import { toWire } from '@perfume/contract/wire-item';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Change, changesAfter, latestPosition, type Position, stillHeld } from '../db/core/changes.ts';
import { refreshDataVersion } from '../http/data-version.ts';
import { personTurns } from '../http/person-turns.ts';
import { Problem } from '../http/problem.ts';
import { type Deps, serve } from '../http/serve.ts';
import { currentUser } from '../http/session.ts';
import { findItems } from '../items/items.store.ts';

const HEARTBEAT_MS = 15_000;
/** The server accepts 4,000 connections; open screens must not take all of them. */
const MAX_STREAMS = 3_000;
const MAX_STREAMS_PER_USER = 30;
/**
 * A client with more unsent bytes than this has stopped reading. It is disconnected, reconnects by itself and resumes.
 */
const MAX_UNSENT_BYTES = 1024 * 1024;
const DRAIN_TIMEOUT_MS = 30_000;
const END_TIMEOUT_MS = 2_000;

/**
 * The stream of one client. `position` is the last change sent to it. `hasJoined` is true once it has caught up and
 * receives new changes together with all others.
 */
type Stream = {
  reply: FastifyReply;
  request: FastifyRequest;
  userId: string;
  house: number;
  position: Position;
  hasJoined: boolean;
};

const START: Position = { txid: 0, seq: 0 };

/** Sends every change to every open screen of its house. Each event is read and serialised once, however many clients there are. */
export function feedRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, whoIs, access, budgets } = deps;
  /** All open streams, including those that are still catching up. */
  const streams = new Set<Stream>();
  const joined = () => [...streams].filter(({ hasJoined }) => hasJoined);
  /** Whoever reconnects many screens at once delays others by one batch at a time. */
  const limitCatchUps = personTurns({ running: 1, waiting: MAX_STREAMS_PER_USER });
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
        // A different position means that all clients left during the read and new ones joined at another position.
        if (position !== from) continue;
        // Somebody may have been removed from the house. They get nothing that happened since.
        const changedHouses = new Set(changes.filter(({ kind }) => kind === 'house').map(({ house }) => house));
        for (const stream of streams)
          if (changedHouses.has(stream.house) && !(await isStillAllowed(stream))) end(stream);
        if (position !== from) continue;
        position = changes.at(-1) ?? from;
        for (const stream of joined()) sendChanges(stream, changes, frames);
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
      // Whose view it is, nobody else needs to know.
      if (change.kind === 'house' || change.kind === 'view')
        return `id: ${eventId(change)}\nevent: ${change.kind}\ndata: {}\n\n`;
      if (change.kind === 'count') {
        const event: CountEvent = { id: eventId(change), countId: change.itemId };
        return `id: ${event.id}\nevent: count\ndata: ${JSON.stringify(event)}\n\n`;
      }
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

  function sendChanges(stream: Stream, changes: Change[], frames: string[]): void {
    const isUnsent = (change: Change) => change.house === stream.house && isBefore(stream.position, change);
    const unsent = frames.filter((_, index) => changes[index] && isUnsent(changes[index]));
    if (unsent.length > 0) write(stream, unsent.join(''));
    advance(stream, changes.at(-1) ?? stream.position);
  }

  function write(stream: Stream, text: string): void {
    const { raw } = stream.reply;
    if (isClosed(raw)) return;
    if (raw.writableLength > MAX_UNSENT_BYTES) raw.destroy();
    else raw.write(text);
  }

  /**
   * Ends a stream. A client that does not read never receives the end, so its connection is destroyed after a timeout.
   */
  function end(stream: Stream): void {
    const { raw } = stream.reply;
    leave(stream);
    raw.end();
    const timeout = setTimeout(() => raw.destroy(), END_TIMEOUT_MS);
    raw.once('close', () => clearTimeout(timeout));
  }

  /** Sends the changes that the client missed. From then on it receives new changes together with all others. */
  async function catchUp(stream: Stream): Promise<void> {
    if (!(await stillHeld(db, stream.position))) {
      stream.position = await latestPosition(db);
      write(stream, `id: ${eventId(stream.position)}\nevent: reset\ndata: {}\n\n`);
    }
    let missed: number;
    do {
      missed = await limitCatchUps(stream.userId, () => sendMissed(stream));
      // Waits until the client has read the batch: the changes of a long absence must not fill the buffer.
      await drained(stream.reply.raw);
      if (isClosed(stream.reply.raw)) return;
      // Repeats even after an empty read if the other clients have received a change since.
    } while (position ? isBefore(stream.position, position) : missed > 0);
    position ??= stream.position;
    stream.hasJoined = true;
    void pump();
  }

  /** Sends the next batch of the changes that the client missed. Returns how many there were. */
  async function sendMissed(stream: Stream): Promise<number> {
    // SQLite queries are synchronous; this lets other requests run between two batches.
    await new Promise(setImmediate);
    if (isClosed(stream.reply.raw)) return 0;
    const reached = position;
    const missed = await changesAfter(db, stream.position, stream.house);
    if (missed.some(({ kind }) => kind === 'house') && !(await isStillAllowed(stream))) {
      end(stream);
      return 0;
    }
    if (missed.length > 0) sendChanges(stream, missed, await toFrames(missed));
    else if (reached) advance(stream, reached);
    budgets.rows.add(stream.userId, missed.length);
    return missed.length;
  }

  /** Whether the person is still logged in and works in this house. If the database cannot say, the stream stays. */
  async function isStillAllowed({ request, house }: Stream): Promise<boolean> {
    refreshDataVersion(request);
    try {
      const user = await currentUser(whoIs, request);
      if (!user?.emailVerified) return false;
      return (await access.enter(events, request, user))?.house === house;
    } catch (error) {
      return !(error instanceof Problem);
    }
  }

  function leave(stream: Stream): void {
    streams.delete(stream);
    if (joined().length === 0) position = null;
  }

  serve(app, deps, events, async ({ user, house, query, request, reply }) => {
    if (query.house !== undefined && query.house !== (await access.houseOf(user))?.id)
      throw new Problem('house_not_found');
    // A browser that reconnects by itself repeats its first URL. `Last-Event-ID` is newer than `after`.
    const since =
      readEventId(request.headers['last-event-id'], 'invalid_header', 'Last-Event-ID') ??
      readEventId(query.after, 'invalid_query', 'after');
    const ownStreams = [...streams].filter((stream) => stream.userId === user.id).length;
    if (streams.size >= MAX_STREAMS || ownStreams >= MAX_STREAMS_PER_USER) throw new Problem('too_many');
    // A HEAD request opens no stream and does not count as one.
    if (request.method === 'HEAD') return reply.header('content-type', 'text/event-stream; charset=utf-8').send();
    const { raw } = reply;
    const stream: Stream = { reply, request, userId: user.id, house, position: START, hasJoined: false };
    streams.add(stream);
    raw.once('close', () => leave(stream));
    const start = since ?? (await latestPosition(db));
    stream.position = start;
    // The client has left meanwhile.
    if (isClosed(raw)) return reply.send();

    reply.hijack();
    // A broken connection ends only this stream.
    raw.on('error', () => {});
    for (const [name, value] of Object.entries(reply.getHeaders())) raw.setHeader(name, value as string);
    raw.setHeader('content-type', 'text/event-stream; charset=utf-8');
    raw.setHeader('cache-control', 'no-store');
    raw.setHeader('x-accel-buffering', 'no');
    raw.writeHead(200);
    raw.socket?.setTimeout(0);
    raw.socket?.setNoDelay(true);

    // The position is sent first, so even a client that has received no change can resume.
    raw.write(`retry: 1000\n${since ? '' : `id: ${eventId(start)}\n`}event: hello\ndata: {}\n\n`);
    try {
      await catchUp(stream);
    } catch (error) {
      app.log.warn({ err: error }, 'a client of the change feed could not catch up');
      // The client reconnects. An open stream without events would look as if nothing changed.
      raw.destroy();
    }
    return reply;
  });

  const stopListening = db.onCommit(() => void pump());

  // The heartbeat keeps streams open, and ends those of people who have logged out or work in another house now, and of
  // keys that were revoked or have expired.
  const heartbeat = setInterval(async () => {
    for (const stream of [...streams]) {
      if (!stream.reply.raw.headersSent) continue;
      if (!(await isStillAllowed(stream))) end(stream);
      // Browsers do not expose comments to scripts, so the beat is an event too.
      else write(stream, ': beat\nevent: beat\ndata: {}\n\n');
    }
  }, HEARTBEAT_MS);
  heartbeat.unref();

  // Open streams would prevent the server from closing.
  app.addHook('preClose', async () => {
    clearInterval(heartbeat);
    stopListening();
    for (const stream of [...streams]) end(stream);
  });
}

function isClosed(raw: ServerResponse): boolean {
  return raw.destroyed || raw.writableEnded;
}

/** Resolves when the buffer is drained or the client has left. A client that does not read is disconnected. */
async function drained(raw: ServerResponse): Promise<void> {
  if (isClosed(raw) || !raw.writableNeedDrain) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const timeout = setTimeout(() => raw.destroy(), DRAIN_TIMEOUT_MS);
  raw.once('drain', resolve).once('close', resolve);
  await promise;
  clearTimeout(timeout);
  raw.off('drain', resolve).off('close', resolve);
}

/** The id of the event at this position. */
export function eventId(position: Position): string {
  return `${position.txid}-${position.seq}`;
}

function readEventId(id: unknown, problem: 'invalid_header' | 'invalid_query', field: string): Position | null {
  if (id === undefined || id === '') return null;
  const match = /^([0-9]{1,15})-([0-9]{1,15})$/.exec(String(id));
  if (!match) throw new Problem(problem, { fields: { [field]: { code: 'not_an_event_id' } } });
  return { txid: Number(match[1]), seq: Number(match[2]) };
}

function advance(stream: Stream, to: Position): void {
  if (isBefore(stream.position, to)) stream.position = to;
}

function isBefore(a: Position, b: Position): boolean {
  return a.txid < b.txid || (a.txid === b.txid && a.seq < b.seq);
}
