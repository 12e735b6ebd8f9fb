import type { FastifyRequest } from 'fastify';
import pLimit from 'p-limit';
import { Problem } from '../http/problem.ts';
import { isLoopback, networkOf } from './limits.ts';

/** Each hash occupies one core and 16 MB; further ones wait. */
const MAX_HASHING = 2;
/** Requests that hash or wait for it. The last one waits for a few seconds; after 30 its connection would be cut. */
const MAX_PLACES = 16;
/** The remaining places are for known browsers: nobody can take them by guessing. */
const MAX_PLACES_OF_NEW_BROWSERS = 10;
const MAX_PLACES_OF_A_NETWORK = 2;

type Sender = {
  request: FastifyRequest;
  /** Whether the browser has logged in to the account before, or proves in another way whose request it is. */
  isKnown: boolean;
  /** Counts the attempt. Throws when there were too many. */
  spendAttempt?: () => Promise<void>;
};

/**
 * Hashing passwords is the most expensive thing a visitor can ask for. Whoever finds no place gets 503 at once instead of
 * waiting until the connection is cut.
 */
export function passwordQueue({ demo }: { demo: boolean }) {
  const limit = pLimit(MAX_HASHING);
  /** The network of each request from a new browser, null for a known one. */
  const places = new Map<FastifyRequest, string | null>();

  /**
   * The attempt is counted as soon as the request has a place: a request without a place costs no attempt, and one without
   * attempts left does not wait for its turn.
   */
  async function run<T>(sender: Sender, work: () => Promise<T>): Promise<T> {
    const { request } = sender;
    takePlace(sender);
    try {
      await sender.spendAttempt?.();
      return await limit(() => {
        // Nobody would read the response.
        if (request.raw.socket.destroyed) throw new Problem('overloaded');
        return work();
      });
    } finally {
      places.delete(request);
    }
  }

  function takePlace({ request, isKnown }: Sender): void {
    const network = isKnown ? null : networkOf(request.ip);
    const taken = [...places.values()].filter((other) => other !== null);
    const isFull =
      places.size >= MAX_PLACES ||
      (network !== null &&
        (taken.length >= MAX_PLACES_OF_NEW_BROWSERS ||
          taken.filter((other) => other === network).length >= maxPlacesOf(network)));
    if (isFull) throw new Problem('overloaded');
    places.set(request, network);
  }

  /** In the demo everyone comes from loopback. */
  const maxPlacesOf = (network: string) =>
    demo && isLoopback(network) ? MAX_PLACES_OF_NEW_BROWSERS : MAX_PLACES_OF_A_NETWORK;

  return {
    run,
    /** For work after a response. It needs no place: each login that had one adds at most one. */
    runLater: <T>(work: () => Promise<T>) => limit(work),
    size: () => places.size,
  };
}
