import type { FastifyRequest } from 'fastify';
import pLimit from 'p-limit';
import { isLoopback, networkOf } from '../http/network.ts';
import { Problem } from '../http/problem.ts';

/** How many passwords are hashed at the same time. Each hash occupies one core and 16 MB. */
const MAX_HASHING = 2;
/** How many requests may hash or wait. The last one waits for a few seconds; after 30 s its connection would be cut. */
const MAX_PLACES = 16;
/**
 * Places for browsers that are not known. The other places are for known browsers: nobody can take them by guessing.
 */
const MAX_PLACES_OF_NEW_BROWSERS = 10;
const MAX_PLACES_OF_A_NETWORK = 2;

type Sender = {
  request: FastifyRequest;
  /** Whether the browser has logged in to the account before, or the request proves in another way who sends it. */
  isKnown: boolean;
  /** Counts the attempt. Throws when there were too many. */
  spendAttempt?: () => Promise<void>;
};

/**
 * Creates the queue for hashing passwords, which is the most expensive work that a visitor can cause. When the
 * queue is full, a request gets 503 at once instead of waiting until its connection is cut.
 */
export function passwordQueue({ demo }: { demo: boolean }) {
  const limit = pLimit(MAX_HASHING);
  /** The requests in the queue, each with its network, or with null for a known browser. */
  const places = new Map<FastifyRequest, string | null>();

  /**
   * Runs `work` when it is its turn. The attempt is counted as soon as the request has a place: a request without a
   * place costs no attempt, and a request without attempts left does not wait.
   */
  async function run<T>(sender: Sender, work: () => Promise<T>): Promise<T> {
    const { request } = sender;
    takePlace(sender);
    try {
      await sender.spendAttempt?.();
      return await limit(() => {
        // The client has disconnected, so nobody would read the response.
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

  /** In the demo everyone connects from loopback, so that one network may take all the places of new browsers. */
  const maxPlacesOf = (network: string) =>
    demo && isLoopback(network) ? MAX_PLACES_OF_NEW_BROWSERS : MAX_PLACES_OF_A_NETWORK;

  return {
    run,
    /** Runs work after a response. It needs no place, because each login that had one adds at most one such task. */
    runLater: <T>(work: () => Promise<T>) => limit(work),
    size: () => places.size,
  };
}
