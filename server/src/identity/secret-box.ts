import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import type { Config } from '../config.ts';

/**
 * Encrypts with a key derived from AUTH_SECRET and the purpose. What is encrypted for one owner, such as a user, cannot be
 * opened for another.
 */
export function secretBox({ secret, previousSecret }: Pick<Config, 'secret' | 'previousSecret'>, purpose: string) {
  const keyFrom = (secret: string) => createHmac('sha256', secret).update(purpose).digest();

  function seal(ownerId: string, text: string): string {
    const iv = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', keyFrom(secret), iv).setAAD(Buffer.from(ownerId));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
  }

  function openWith(secret: string, ownerId: string, stored: string): string | null {
    const bytes = Buffer.from(stored, 'base64url');
    if (bytes.length < 28) return null;
    const decipher = createDecipheriv('aes-256-gcm', keyFrom(secret), bytes.subarray(0, 12), { authTagLength: 16 })
      .setAAD(Buffer.from(ownerId))
      .setAuthTag(bytes.subarray(12, 28));
    try {
      return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
    } catch {
      return null;
    }
  }

  /** `isCurrent` is false if the previous AUTH_SECRET protects it: it should be encrypted again. */
  function open(ownerId: string, stored: string): { text: string; isCurrent: boolean } | null {
    const text = openWith(secret, ownerId, stored);
    if (text !== null) return { text, isCurrent: true };
    const older = previousSecret === null ? null : openWith(previousSecret, ownerId, stored);
    return older === null ? null : { text: older, isCurrent: false };
  }

  return { seal, open };
}
