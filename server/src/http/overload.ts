import { monitorEventLoopDelay } from 'node:perf_hooks';
import { events } from '@perfume/contract/feed';
import { signIn, signUp } from '@perfume/contract/identity';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { networkOf } from './network.ts';
import { Problem } from './problem.ts';

declare module 'fastify' {
  interface FastifyRequest {
    isInFlight: boolean;
  }
}

const LIMITS = {
  /** Requests that may wait for the database at the same time. */
  inFlight: 1_000,
  /** A tick of the event loop that takes longer than this had many requests to read. Two in a row mean overload. */
  longTickMs: 400,
  /** Under overload, each tick serves requests for this long, but at least `minServedPerTick` of them. */
  tickBudgetMs: 150,
  minServedPerTick: 50,
  /** And at least so many of each network, until twice that time has passed: whoever asks little is not refused. */
  minServedPerNetwork: 5,
};
const MAX_DELAY_MS = 500;
const SAMPLE_INTERVAL_MS = 250;
/** One slow sample is a hiccup. This many in a row mean overload. */
const MAX_SLOW_SAMPLES = 4;
/**
 * These endpoints do not count as in flight: an event stream stays open for hours and costs almost nothing, and logging
 * in and signing up are limited by the password queue.
 */
const HAVE_LIMITS_OF_THEIR_OWN = new Set<string>([events.path, signIn.path, signUp.path]);

/**
 * Refuses requests under overload, because a quick 503 is better than a late response. Requests wait in two places:
 * inside the server for the database, where they are counted, and in the socket buffers, where they cannot be counted.
 * But the server reads all waiting sockets in one tick of the event loop, so a long tick means that the queue was long.
 */
export function refuseOverload(
  app: FastifyInstance,
  limits: Partial<typeof LIMITS> = {},
): { inFlight(): number; delayMs(): number } {
  const limit = { ...LIMITS, ...limits };
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  let inFlight = 0;
  let delayMs = 0;
  let slowSamples = 0;
  let tick: { startedAt: number; served: number; servedBy: Map<string, number>; refused: number } | null = null;
  let longTickEndedAt = Number.NEGATIVE_INFINITY;
  let isOverloaded = false;
  const leave = (request: FastifyRequest) => {
    if (!request.isInFlight) return;
    request.isInFlight = false;
    inFlight--;
  };
  /**
   * Decides at the end of a tick whether the server is overloaded. A single slow tick usually follows a GC pause. Only
   * a second one right after it means overload.
   */
  const endTick = () => {
    if (!tick) return;
    const now = performance.now();
    const isLong = now - tick.startedAt > limit.longTickMs;
    const followsLongTick = tick.startedAt - longTickEndedAt < limit.longTickMs;
    isOverloaded = isOverloaded ? tick.refused > 0 : isLong && followsLongTick;
    if (isLong) longTickEndedAt = now;
    tick = null;
  };
  const sampling = setInterval(() => {
    delayMs = delay.percentile(50) / 1e6;
    slowSamples = delayMs > MAX_DELAY_MS ? slowSamples + 1 : 0;
    delay.reset();
  }, SAMPLE_INTERVAL_MS);
  sampling.unref();

  function hasTimeLeft(request: FastifyRequest): boolean {
    const now = performance.now();
    if (!tick) {
      tick = { startedAt: now, served: 0, servedBy: new Map(), refused: 0 };
      setImmediate(endTick);
    }
    if (isOverloaded) {
      const network = networkOf(request.ip);
      const served = tick.servedBy.get(network) ?? 0;
      const ms = now - tick.startedAt;
      const isOver = tick.served >= limit.minServedPerTick && ms > limit.tickBudgetMs;
      if (isOver && (served >= limit.minServedPerNetwork || ms > 2 * limit.tickBudgetMs)) {
        tick.refused++;
        return false;
      }
      tick.servedBy.set(network, served + 1);
    }
    tick.served++;
    return true;
  }

  app.addHook('onRequest', (request, _reply, done) => {
    const isProbe = request.url === '/healthz' || request.url === '/readyz' || request.url === '/metrics';
    if (!isProbe && (inFlight >= limit.inFlight || slowSamples >= MAX_SLOW_SAMPLES || !hasTimeLeft(request)))
      return done(new Problem('overloaded'));
    done();
  });
  // A request counts from when its body has arrived until its response is ready. Clients that send or read slowly take
  // no place from others; the time limits of the connection are for them.
  app.decorateRequest('isInFlight', false);
  app.addHook('preValidation', (request, reply, done) => {
    if (HAVE_LIMITS_OF_THEIR_OWN.has(request.routeOptions.url ?? '') || reply.raw.destroyed) return done();
    inFlight++;
    request.isInFlight = true;
    reply.raw.once('close', () => leave(request));
    done();
  });
  app.addHook('onSend', (request, _reply, payload, done) => {
    leave(request);
    done(null, payload);
  });
  app.addHook('onClose', async () => {
    clearInterval(sampling);
    delay.disable();
  });
  return { inFlight: () => inFlight, delayMs: () => delayMs };
}
