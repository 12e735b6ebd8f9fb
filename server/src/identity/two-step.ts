import { hash, randomBytes } from 'node:crypto';
import type { User } from '@perfume/contract/identity';
import { Secret, TOTP } from 'otpauth';
import type { Config } from '../config.ts';
import type { Db } from '../db/core/database.ts';
import { Problem } from '../http/problem.ts';
import { secretBox } from './secret-box.ts';
import { findTwoStep, replaceSecret, useRecoveryCode, usersWithTwoStep, useStep } from './two-step.store.ts';

const PERIOD_S = 30;
const RECOVERY_CODES = 10;
/** A recovery code has 120 bits, so a plain hash protects it. */
const RECOVERY_CODE_BYTES = 15;

export function newSecret(): string {
  return new Secret({ size: 20 }).base32;
}

export function totpUri(secret: string, { email }: Pick<User, 'email'>): string {
  return totp(secret, email).toString();
}

function totp(secret: string, label = ''): TOTP {
  const issuer = 'Perfume Warehouse';
  return new TOTP({ issuer, label, algorithm: 'SHA1', digits: 6, period: PERIOD_S, secret: Secret.fromBase32(secret) });
}

/** Returns the time step of a code that is valid now, one step ago or one step ahead, else null. */
export function stepOf(secret: string, code: string, now: number): number | null {
  if (!/^\d{6}$/.test(code)) return null;
  const delta = totp(secret).validate({ token: code, window: 1, timestamp: now });
  return delta === null ? null : Math.floor(now / 1_000 / PERIOD_S) + delta;
}

/** Returns new recovery codes, such as `k3q7xz-…`, and the hashes to store. */
export function newRecoveryCodes(): { codes: string[]; codeHashes: string[] } {
  const codes = Array.from({ length: RECOVERY_CODES }, () => {
    const text = new Secret({ buffer: new Uint8Array(randomBytes(RECOVERY_CODE_BYTES)).buffer }).base32.toLowerCase();
    return text.match(/.{6}/g)?.join('-') ?? text;
  });
  return { codes, codeHashes: codes.map(recoveryCodeHash) };
}

function recoveryCodeHash(code: string): string {
  return hash('sha256', code.toLowerCase().replace(/[^a-z2-7]/g, ''), 'base64url');
}

/** Checks the codes of authenticator apps, and recovery codes. Each works once. */
export function codeChecker(config: Config, db: Db) {
  const box = secretBox(config, 'two-step login');

  /** Throws unless the code is valid now. */
  async function requireAppCode(userId: string, code: string, now: number): Promise<void> {
    const secret = await secretOf(userId);
    const step = secret && stepOf(secret, code.replace(/\s/g, ''), now);
    if (!step || !(await useStep(db, userId, step))) throw new Problem('wrong_code');
  }

  async function requireRecoveryCode(userId: string, code: string): Promise<void> {
    if (!(await useRecoveryCode(db, userId, recoveryCodeHash(code)))) throw new Problem('wrong_code');
  }

  /** Encrypts all secrets with the current AUTH_SECRET, so that the previous one can be removed later. */
  async function adoptCurrentSecret(): Promise<void> {
    for (const userId of await usersWithTwoStep(db)) await secretOf(userId);
  }

  /** Returns the decrypted secret. One that the previous AUTH_SECRET protects is encrypted again with the current one. */
  async function secretOf(userId: string): Promise<string | null> {
    const stored = await findTwoStep(db, userId);
    const opened = stored && box.open(userId, stored.secret);
    if (opened && !opened.isCurrent)
      await replaceSecret(db, userId, { from: stored.secret, to: box.seal(userId, opened.text) });
    return opened?.text ?? null;
  }

  return { requireAppCode, requireRecoveryCode, secretOf, adoptCurrentSecret, seal: box.seal };
}
