import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { verifyPassword as verifyEarlier } from 'better-auth/crypto';
import pLimit from 'p-limit';

/** scrypt's parameters: 2^ln rounds over blocks of r, p times. It takes 128 · 2^ln · r bytes. */
type Cost = { ln: number; r: number; p: number };

/** What OWASP's cheat sheet asks for at least, in the form that takes 16 MB. */
const TODAY: Cost = { ln: 14, r: 8, p: 5 };
/** What better-auth takes. */
const EARLIER: Cost = { ln: 14, r: 16, p: 1 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;
/** Each takes a core and its memory; what comes beyond that waits. */
const AT_ONCE = 2;

export type Passwords = {
  hash(password: string): Promise<string>;
  verify(given: { hash: string; password: string }): Promise<boolean>;
  /** Whether it was kept at another cost than today's, so that whoever shows the password should have it kept anew. */
  isDated(hash: string): boolean;
};

/**
 * Salted scrypt. What is kept names its cost (`$scrypt$ln=14,r=8,p=5$salt$hash`), so that the cost can grow: an earlier
 * one still opens, and is replaced when its owner signs in.
 */
export const keptPasswords: Passwords = passwordsAt(TODAY);

export function passwordsAt(cost: Cost): Passwords {
  const head = headOf(cost);
  return {
    async hash(password) {
      const salt = randomBytes(SALT_BYTES);
      const hash = await stretch(password, salt, cost, HASH_BYTES);
      return [head, salt.toString('base64url'), hash.toString('base64url')].join('$');
    },
    async verify({ hash, password }) {
      const kept = read(hash);
      // Before costs were named, better-auth kept them its way.
      const opens = kept
        ? timingSafeEqual(kept.hash, await stretch(password, kept.salt, kept.cost, kept.hash.length))
        : await verifyEarlier({ hash, password });
      await makeUpFor(kept?.cost ?? EARLIER, cost, password);
      return opens;
    },
    isDated: (hash) => !hash.startsWith(`${head}$`),
  };
}

export function fewAtOnce({ hash, verify, isDated }: Passwords): Passwords {
  const limit = pLimit(AT_ONCE);
  return {
    hash: (password) => limit(() => hash(password)),
    verify: (given) => limit(() => verify(given)),
    isDated,
  };
}

/**
 * For an address that nobody has, a password is worked out at today's cost. One that was kept at a lower cost takes as
 * long, or the time would tell which addresses have an account.
 */
async function makeUpFor(done: Cost, cost: Cost, password: string): Promise<void> {
  const once = workOf({ ...cost, p: 1 });
  const p = Math.ceil((workOf(cost) - workOf(done)) / once);
  if (p > 0) await stretch(password, randomBytes(SALT_BYTES), { ...cost, p }, HASH_BYTES);
}

function workOf({ ln, r, p }: Cost): number {
  return 2 ** ln * r * p;
}

function headOf({ ln, r, p }: Cost): string {
  return `$scrypt$ln=${ln},r=${r},p=${p}`;
}

const FORM = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([\w-]+)\$([\w-]+)$/;

function read(kept: string): { cost: Cost; salt: Buffer; hash: Buffer } | null {
  const [, ln, r, p, salt = '', hash = ''] = FORM.exec(kept) ?? [];
  if (ln === undefined) return null;
  const cost = { ln: Number(ln), r: Number(r), p: Number(p) };
  return { cost, salt: Buffer.from(salt, 'base64url'), hash: Buffer.from(hash, 'base64url') };
}

function stretch(password: string, salt: Buffer, { ln, r, p }: Cost, bytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // The same letters may be typed in two forms; they are the same password.
    const typed = password.normalize('NFKC');
    scrypt(typed, salt, bytes, { N: 2 ** ln, r, p, maxmem: 256 * 2 ** ln * r }, (error, hash) =>
      error ? reject(error) : resolve(hash),
    );
  });
}
