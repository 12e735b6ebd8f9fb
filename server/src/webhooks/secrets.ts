import { randomBytes } from 'node:crypto';
import type { Config } from '../config.ts';
import type { Db } from '../db/core/database.ts';
import { secretBox } from '../identity/secret-box.ts';
import { storeSecrets, type Webhook, webhooksOn } from './webhooks.store.ts';

const SECRET_BYTES = 32;

export type Secrets = ReturnType<typeof webhookSecrets>;

/** Makes the secrets of webhooks, and encrypts them with a key derived from AUTH_SECRET. */
export function webhookSecrets(config: Pick<Config, 'secret' | 'previousSecret'>) {
  const box = secretBox(config, 'webhook');

  function create(webhookId: string): { secret: string; sealed: string } {
    const secret = `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
    return { secret, sealed: box.seal(webhookId, secret) };
  }

  /** The secrets that sign now: the current one first. None if AUTH_SECRET is no longer the one that protects them. */
  function of({ id, secret, old_secret, old_secret_until }: Webhook, now: number): string[] {
    const stored = old_secret !== null && (old_secret_until ?? 0) > now ? [secret, old_secret] : [secret];
    return stored.flatMap((sealed) => box.open(id, sealed)?.text ?? []);
  }

  /** Encrypts all secrets with the current AUTH_SECRET, so that the previous one can be removed later. */
  async function adoptCurrent(db: Db): Promise<void> {
    for (const webhook of await webhooksOn(db.query)) {
      const [current, old] = [webhook.secret, webhook.old_secret].map(
        (sealed) => sealed && box.open(webhook.id, sealed),
      );
      if (!current || current.isCurrent) continue;
      const oldSealed = old ? box.seal(webhook.id, old.text) : null;
      await storeSecrets(db, webhook, box.seal(webhook.id, current.text), oldSealed);
    }
  }

  return { create, of, adoptCurrent };
}
