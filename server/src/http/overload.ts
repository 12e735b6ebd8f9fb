import { monitorEventLoopDelay } from 'node:perf_hooks';
import { events } from '@perfume/contract/events';
import type { FastifyInstance } from 'fastify';
import { Problem } from './problem.ts';

const MOST_IN_FLIGHT = 1_000;
const MOST_DELAY_MS = 500;
const LOOK_EVERY_MS = 250;
/** One long pause is a hiccup; this many looks in a row are more work than there is time. */
const LOOKS_IN_A_ROW = 4;

/** Beyond what can be answered in time, a quick "try again" is the better answer. */
export function refuseOverload(
  app: FastifyInstance,
  mostInFlight = MOST_IN_FLIGHT,
): { inFlight(): number; delayMs(): number } {
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  let inFlight = 0;
  let delayMs = 0;
  let slowLooks = 0;
  const leave = () => {
    inFlight--;
  };
  const look = setInterval(() => {
    delayMs = delay.percentile(50) / 1e6;
    slowLooks = delayMs > MOST_DELAY_MS ? slowLooks + 1 : 0;
    delay.reset();
  }, LOOK_EVERY_MS);
  look.unref();

  app.addHook('onRequest', (request, reply, done) => {
    const isProbe = request.url === '/healthz' || request.url === '/readyz' || request.url === '/metrics';
    if (!isProbe && (inFlight >= mostInFlight || slowLooks >= LOOKS_IN_A_ROW)) return done(new Problem('overloaded'));
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
