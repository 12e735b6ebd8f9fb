import { monitorEventLoopDelay } from 'node:perf_hooks';
import { events } from '@perfume/contract/feed';
import type { FastifyInstance } from 'fastify';
import { Problem } from './problem.ts';

const LIMITS = {
  /** So many may wait for the database at once. */
  inFlight: 1_000,
  /** A turn of the event loop that takes longer found a long queue; the second in a row is too much. */
  longTurnMs: 400,
  /** What a turn may then spend on those that wait, until all of them are served; and how many it serves at least. */
  turnMs: 150,
  turnAtLeast: 50,
};
const MOST_DELAY_MS = 500;
const LOOK_EVERY_MS = 250;
/** One long pause is a hiccup; this many looks in a row are more work than there is time. */
const LOOKS_IN_A_ROW = 4;

/**
 * Beyond what can be answered in time, a quick "try again" is the better answer. Requests wait in two places: in the
 * server for the database, where they are counted; and before it, in the sockets, where nobody can count them. But all
 * that wait there are read in one turn of the event loop, so a turn that takes long was a long queue.
 */
export function refuseOverload(
  app: FastifyInstance,
  limits: Partial<typeof LIMITS> = {},
): { inFlight(): number; delayMs(): number } {
  const most = { ...LIMITS, ...limits };
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  let inFlight = 0;
  let delayMs = 0;
  let slowLooks = 0;
  let turn: { began: number; served: number; refused: number } | null = null;
  let longTurnEnded = Number.NEGATIVE_INFINITY;
  let isTooMuch = false;
  const leave = () => {
    inFlight--;
  };
  /** One long turn is what a pause has left behind, and is served whole. Straight after it another is too much. */
  const endTurn = () => {
    if (!turn) return;
    const now = performance.now();
    const isLong = now - turn.began > most.longTurnMs;
    isTooMuch = isTooMuch ? turn.refused > 0 : isLong && turn.began - longTurnEnded < most.longTurnMs;
    if (isLong) longTurnEnded = now;
    turn = null;
  };
  const look = setInterval(() => {
    delayMs = delay.percentile(50) / 1e6;
    slowLooks = delayMs > MOST_DELAY_MS ? slowLooks + 1 : 0;
    delay.reset();
  }, LOOK_EVERY_MS);
  look.unref();

  function hasTimeLeft(): boolean {
    const now = performance.now();
    if (!turn) {
      turn = { began: now, served: 0, refused: 0 };
      setImmediate(endTurn);
    }
    if (isTooMuch && turn.served >= most.turnAtLeast && now - turn.began > most.turnMs) {
      turn.refused++;
      return false;
    }
    turn.served++;
    return true;
  }

  app.addHook('onRequest', (request, reply, done) => {
    const isProbe = request.url === '/healthz' || request.url === '/readyz' || request.url === '/metrics';
    if (!isProbe && (inFlight >= most.inFlight || slowLooks >= LOOKS_IN_A_ROW || !hasTimeLeft()))
      return done(new Problem('overloaded'));
    // An open screen waits for hours and costs nothing meanwhile; how many there may be is the feed's own rule.
    if (request.routeOptions.url === events.path) return done();
    inFlight++;
    reply.raw.once('close', leave);
    done();
  });
  app.addHook('onClose', async () => {
    clearInterval(look);
    delay.disable();
  });
  return { inFlight: () => inFlight, delayMs: () => delayMs };
}
