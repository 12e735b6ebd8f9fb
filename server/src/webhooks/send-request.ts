import { createHmac } from 'node:crypto';
import { Resolver, lookup as systemLookup } from 'node:dns/promises';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIPv6, type LookupFunction } from 'node:net';
import type { Outcome } from './deliveries.store.ts';
import { isPublic, type Receivers } from './receivers.ts';

/** For the whole exchange, from looking up the name to the status of the answer. */
const TIME_LIMIT_MS = 10_000;
const MAX_HEADER_BYTES = 8_192;
/** An answer may be announced by others, such as 103. A receiver could send them without end. */
const MAX_ANNOUNCEMENTS = 5;
/** A name may have thousands of addresses, and each is tried if the one before does not answer. */
const MAX_ADDRESSES = 4;

/** Returns the addresses of a name. */
export type Resolve = (name: string) => Promise<string[]>;
type Limits = { receivers: Receivers; resolve?: Resolve; timeLimitMs?: number };
type Message = { id: string; at: number; body: string; secrets: string[] };

/**
 * Sends a signed request and returns what came of it. Only the status of the answer counts; the rest of it is not read.
 * Redirects are not followed. The address that is connected to is checked, whatever the name said before.
 */
export function sendRequest(
  url: string,
  message: Message,
  { receivers, resolve = resolveName, timeLimitMs = TIME_LIMIT_MS }: Limits,
): Promise<Outcome> {
  const target = new URL(url);
  // No name is looked up for an IP address, so this is its only check.
  if (receivers.fault(target)) return Promise.resolve(unreachable);
  const isListed = receivers.isListed(target);
  const { id, at, body, secrets } = message;
  const timestamp = String(Math.floor(at / 1_000));
  const send = target.protocol === 'https:' ? httpsRequest : httpRequest;
  const signal = AbortSignal.timeout(timeLimitMs);
  const { promise, resolve: settle } = Promise.withResolvers<Outcome>();
  const request = send(target, {
    method: 'POST',
    // A connection of its own, which ends with the request.
    agent: false,
    lookup: lookupWith(isListed ? systemResolve : resolve, isListed ? () => true : isPublic),
    maxHeaderSize: MAX_HEADER_BYTES,
    signal,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      'user-agent': 'Perfume-Warehouse-Webhooks',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': secrets.map((secret) => signature(secret, `${id}.${timestamp}.${body}`)).join(' '),
    },
  });
  let announcements = 0;
  request.on('information', () => {
    if (++announcements > MAX_ANNOUNCEMENTS) request.destroy();
  });
  request.once('response', (answer) => {
    settle(outcomeOf(answer.statusCode ?? 0));
    // Whatever else it has to say is not waited for.
    answer.on('error', () => {}).destroy();
  });
  // A user learns as little about a port that is closed as about a name that does not exist.
  request.on('error', () => settle(signal.aborted ? { ok: false, status: null, reason: 'timeout' } : unreachable));
  request.once('close', () => settle(unreachable));
  request.end(body);
  return promise;
}

/** The secret is `whsec_` and the base64 of the key. */
export function signature(secret: string, content: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
}

const unreachable: Outcome = { ok: false, status: null, reason: 'unreachable' };

function outcomeOf(status: number): Outcome {
  if (status >= 200 && status < 300) return { ok: true, status };
  return { ok: false, status, reason: status >= 300 && status < 400 ? 'redirect' : 'status' };
}

/** Looks a name up for the connection. If one of its addresses is not allowed, none is used. */
function lookupWith(resolve: Resolve, isAllowed: (address: string) => boolean): LookupFunction {
  return (name, options, done) => {
    resolve(name).then(
      (found) => {
        const addresses = found
          .slice(0, MAX_ADDRESSES)
          .map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
        const [first] = addresses;
        if (!first || !found.every(isAllowed)) return done(new Error('This address is not allowed.'), '', 4);
        if (options.all) done(null, addresses);
        else done(null, first.address, first.family);
      },
      (error: Error) => done(error as NodeJS.ErrnoException, '', 4),
    );
  };
}

const resolver = new Resolver({ timeout: 2_000, tries: 2 });

/**
 * Asks the name servers. Unlike the lookup of the system, this takes no thread of the few that also hash passwords: a
 * name whose servers do not answer would hold one for long.
 */
async function resolveName(name: string): Promise<string[]> {
  const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  return found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
}

/** Hosts that the operator listed may be names that only this machine knows. */
async function systemResolve(name: string): Promise<string[]> {
  return (await systemLookup(name, { all: true })).map(({ address }) => address);
}
