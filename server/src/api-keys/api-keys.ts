import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Cache } from '../db/core/cache.ts';
import type { Db } from '../db/core/database.ts';
import { personBudget } from '../http/budgets.ts';
import { lookUpSender } from '../http/data-version.ts';
import { networkOf } from '../http/network.ts';
import type { KeyHolder } from '../http/session.ts';
import { apiKeyHash, isApiKey } from './api-key.ts';
import { findByApiKey, recordUses } from './api-keys.store.ts';

/**
 * How many keys that this server does not know yet an IP address may send. Counted in memory: nobody can guess a key, so
 * the limit only keeps a flood of wrong keys from the database.
 */
export const WRONG_KEYS = { burst: 60, perSecond: 0.2 };
const MAX_KNOWN = 5_000;
const RECORD_AFTER_MS = 60_000;

export type ApiKeys = ReturnType<typeof apiKeyFinder>;

/** Finds the owners of API keys, and records when keys were last used. */
export function apiKeyFinder(
  app: FastifyInstance,
  { db, cache, clock }: { db: Db; cache: Cache; clock: () => number },
) {
  const wrongKeys = personBudget(WRONG_KEYS, clock);
  /** Hashes of keys that worked. They are looked up even when their IP address has sent too many wrong keys. */
  const known = new Set<string>();
  const lastUses = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;

  async function byKey(request: FastifyRequest, key: string): Promise<KeyHolder | null | { secondsToWait: number }> {
    const hash = apiKeyHash(key);
    const isKnown = known.has(hash);
    const secondsToWait = isKnown ? null : wrongKeys.spend(networkOf(request.ip), 1);
    if (secondsToWait !== null) return { secondsToWait };
    if (!isKnown && !isApiKey(key)) return null;
    const found = await lookUpSender({ db, cache }, request, `api-key ${hash}`, () => findByApiKey(db, hash));
    const now = clock();
    if (!found || (found.expiresAt !== null && found.expiresAt <= now)) {
      known.delete(hash);
      return null;
    }
    if (!isKnown) {
      if (known.size >= MAX_KNOWN) known.clear();
      known.add(hash);
    }
    lastUses.set(found.keyId, now);
    timer ??= setTimeout(() => void record().catch(() => {}), RECORD_AFTER_MS).unref();
    return found;
  }

  /** Stores the last uses. They are collected for a minute, so that a request with a key writes no more than others. */
  async function record(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const uses = new Map(lastUses);
    lastUses.clear();
    if (uses.size > 0) await recordUses(db, uses);
  }

  // If the database is gone by then, only the time of the last use is lost.
  app.addHook('onClose', () => record().catch(() => {}));
  return { byKey, record };
}
