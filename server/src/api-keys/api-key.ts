import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const RANDOM_LENGTH = 50;
const CHECKSUM_LENGTH = 7;
const KEY = new RegExp(`^pw_[0-9a-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`);

/**
 * Makes a key: `pw_`, 256 random bits and a checksum, in digits and small letters, so that a double click selects all
 * of it. Prefix and checksum let secret scanners recognise a key that was published by mistake.
 */
export function newApiKey(): string {
  const random = BigInt(`0x${randomBytes(32).toString('hex')}`)
    .toString(36)
    .padStart(RANDOM_LENGTH, '0');
  return `pw_${random}${checksumOf(`pw_${random}`)}`;
}

/** Whether a text can be a key. A mistyped or shortened key cannot, and needs no query. */
export function isApiKey(text: string): boolean {
  return KEY.test(text) && text.endsWith(checksumOf(text.slice(0, -CHECKSUM_LENGTH)));
}

/** Returns what is stored of a key. One fast hash is enough, because nobody can try 2^256 keys. */
export function apiKeyHash(key: string): string {
  return hash('sha256', key, 'base64url');
}

function checksumOf(text: string): string {
  return crc32(text).toString(36).padStart(CHECKSUM_LENGTH, '0');
}
