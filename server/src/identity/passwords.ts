import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

/** scrypt's parameters: 2^ln rounds over blocks of r, p times. It needs 128 · 2^ln · r bytes of memory. */
type Cost = { ln: number; r: number; p: number };

/** The minimum of OWASP's cheat sheet, in the variant that needs 16 MB. */
const CURRENT_COST: Cost = { ln: 14, r: 8, p: 5 };
/** The default cost of better-auth, which made the oldest hashes. */
const BETTER_AUTH_COST: Cost = { ln: 14, r: 16, p: 1 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;

export type PasswordHasher = {
  hash(password: string): Promise<string>;
  verify(given: { hash: string; password: string }): Promise<boolean>;
  /** Whether the hash was made with another cost than the current one. */
  needsRehash(hash: string): boolean;
};

/**
 * Hashes passwords with salted scrypt. The hash names its cost (`$scrypt$ln=14,r=8,p=5$salt$hash`), so the cost can be
 * raised: older hashes stay valid and are replaced when their owner logs in. A password is hashed exactly as received;
 * the front end sends it in one Unicode form (`api/client.ts`), whatever keyboard it was typed on.
 */
export const passwordHasher: PasswordHasher = passwordHasherAt(CURRENT_COST);

export function passwordHasherAt(cost: Cost): PasswordHasher {
  const prefix = prefixOf(cost);
  return {
    async hash(password) {
      const salt = randomBytes(SALT_BYTES);
      const hash = await derive(password, salt, cost, HASH_BYTES);
      return [prefix, salt.toString('base64url'), hash.toString('base64url')].join('$');
    },
    async verify({ hash, password }) {
      const stored = parse(hash);
      const given = await derive(password, stored.salt, stored.cost, stored.hash.length);
      await padWork(stored.cost, cost, password);
      return timingSafeEqual(stored.hash, given);
    },
    needsRehash: (hash) => !hash.startsWith(`${prefix}$`),
  };
}

/**
 * Adds the work that verifying a hash of lower cost has saved. For an unknown email address, a password is hashed at
 * the current cost: a faster response would reveal which addresses have an account.
 */
async function padWork(spent: Cost, cost: Cost, password: string): Promise<void> {
  const once = workOf({ ...cost, p: 1 });
  const p = Math.ceil((workOf(cost) - workOf(spent)) / once);
  if (p > 0) await derive(password, randomBytes(SALT_BYTES), { ...cost, p }, HASH_BYTES);
}

function workOf({ ln, r, p }: Cost): number {
  return 2 ** ln * r * p;
}

function prefixOf({ ln, r, p }: Cost): string {
  return `$scrypt$ln=${ln},r=${r},p=${p}`;
}

const HASH_FORMAT = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([\w-]+)\$([\w-]+)$/;
/** better-auth's format names no cost, and its salt is the text of the hex digits. */
const BETTER_AUTH_FORMAT = /^([0-9a-f]+):([0-9a-f]+)$/;

function parse(stored: string): { cost: Cost; salt: Buffer; hash: Buffer } {
  const [, ln, r, p, salt = '', hash = ''] = HASH_FORMAT.exec(stored) ?? [];
  if (ln !== undefined) {
    const cost = { ln: Number(ln), r: Number(r), p: Number(p) };
    return { cost, salt: Buffer.from(salt, 'base64url'), hash: Buffer.from(hash, 'base64url') };
  }
  const [, oldSalt, oldHash] = BETTER_AUTH_FORMAT.exec(stored) ?? [];
  if (oldSalt === undefined || oldHash === undefined) throw new Error('A stored password hash has an unknown format');
  return { cost: BETTER_AUTH_COST, salt: Buffer.from(oldSalt), hash: Buffer.from(oldHash, 'hex') };
}

function derive(password: string, salt: Buffer, { ln, r, p }: Cost, bytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password, salt, bytes, { N: 2 ** ln, r, p, maxmem: 256 * 2 ** ln * r }, (error, hash) =>
      error ? reject(error) : resolve(hash),
    );
  });
}
