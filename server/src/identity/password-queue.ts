import type { FastifyRequest } from 'fastify';
import pLimit from 'p-limit';
import { isLoopback, networkOf } from '../http/network.ts';
import { Problem } from '../http/problem.ts';

/** How many passwords are hashed at the same time. Each hash occupies one core and 16 MB. */
const MAX_HASHING = 2;
/** How many requests may hash or wait. The last one waits for a few seconds; after 30 s its connection would be cut. */
const MAX_PLACES = 16;
/**
 * Places for browsers that are not known. The other places are for known senders: nobody can take them by guessing.
 */
const MAX_PLACES_OF_NEW_BROWSERS = 10;
const MAX_NEW_BROWSERS_OF_A_NETWORK = 2;
/** Anyone can sign up and be a known sender, so one account gets few places, and so do all accounts of one network. */
const MAX_PLACES_OF_AN_ACCOUNT = 3;
const MAX_KNOWN_SENDERS_OF_A_NETWORK = 3;

type Sender = {
  request: FastifyRequest;
  /**
   * The email key of the account if the sender is known: the browser has logged in to it before, or the request proves
   * in another way who sends it.
   */
  knownAs: string | null;
  /** Counts the attempt. Throws when there were too many. */
  spendAttempt?: () => Promise<void>;
};

/**
 * Creates the queue for hashing passwords, which is the most expensive work that a visitor can cause. When the
 * queue is full, a request gets 503 at once instead of waiting until its connection is cut.
 */
export function passwordQueue({ demo }: { demo: boolean }) {
  const limit = pLimit(MAX_HASHING);
  /** The requests in the queue. */
  const places = new Map<FastifyRequest, { network: string; knownAs: string | null }>();

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

  function takePlace({ request, knownAs }: Sender): void {
    const network = networkOf(request.ip);
    const isKnown = knownAs !== null;
    const alike = [...places.values()].filter((other) => (other.knownAs !== null) === isKnown);
    const ofNetwork = alike.filter((other) => other.network === network).length;
    const ofAccount = alike.filter((other) => other.knownAs === knownAs).length;
    // In the demo everyone connects from loopback, often to the same account.
    const isShared = demo && isLoopback(network);
    const isFull =
      places.size >= MAX_PLACES ||
      (!isKnown && alike.length >= MAX_PLACES_OF_NEW_BROWSERS) ||
      (!isShared && ofNetwork >= (isKnown ? MAX_KNOWN_SENDERS_OF_A_NETWORK : MAX_NEW_BROWSERS_OF_A_NETWORK)) ||
      (!isShared && isKnown && ofAccount >= MAX_PLACES_OF_AN_ACCOUNT);
    if (isFull) throw new Problem('overloaded');
    places.set(request, { network, knownAs });
  }

  return {
    run,
    /** Runs work after a response. It needs no place, because each login that had one adds at most one such task. */
    runLater: <T>(work: () => Promise<T>) => limit(work),
    size: () => places.size,
  };
}
