import { createPrivateKey, createPublicKey, hash, type KeyObject, sign, verify } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { CheckpointEntryRow, CheckpointRow } from '../db/core/tables.ts';

export type Checkpoint = Selectable<CheckpointRow>;
export type Entry = Omit<Selectable<CheckpointEntryRow>, 'checkpoint'>;
export type SigningKey = { publicKey: string; sign(text: string): string };

/** A checkpoint as the operator keeps it on another machine. */
export type KeptCheckpoint = Pick<Checkpoint, 'number' | 'hash'>;

/** How far a checkpoint goes in one book: the rows it added, all rows covered so far, and the highest position. */
export type Coverage = { added: number; rows: number; to: number };

export const MOVEMENTS = 'stock_movements';

/**
 * The append-only tables besides the ledger. Their rows are numbered by `num` and hashed with all their columns, none of
 * which ever changes. `subject` names what the row is about. On PostgreSQL a lower number may be committed later.
 */
export const NUMBERED_BOOKS = [
  {
    name: 'item_events',
    subject: 'item_id',
    columns: ['num', 'id', 'item_id', 'kind', 'changes', 'actor_id', 'actor_name', 'at', 'batch', 'undoes'],
  },
  {
    name: 'settings_events',
    subject: 'kind',
    columns: ['num', 'id', 'kind', 'changes', 'actor_id', 'actor_name', 'at', 'undoes'],
  },
] as const;
export type NumberedBook = (typeof NUMBERED_BOOKS)[number];

/** A row of a numbered book with its columns in the order of `columns`, as the database returns it. */
export function rowHash(book: NumberedBook, row: Record<string, unknown>): string {
  return sha256(JSON.stringify(book.columns.map((column) => row[column])));
}

/**
 * Adds an entry to the hash of the entries before it. The entries of a checkpoint are hashed in the order of `inOrder`.
 */
export function addEntry(before: string, { book, subject, position, hash }: Entry): string {
  return sha256(JSON.stringify([before, book, subject, position, hash]));
}

/** Sorts entries as both databases do: text by its bytes. */
export function inOrder(entries: readonly Entry[]): Entry[] {
  return [...entries].sort(
    (a, b) => compareBytes(a.book, b.book) || compareBytes(a.subject, b.subject) || a.position - b.position,
  );
}

function compareBytes(a: string, b: string): number {
  return a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** The hash covers everything in the row, and through `content` and `previous` all that this and earlier ones cover. */
export function checkpointHash(checkpoint: Omit<Checkpoint, 'hash' | 'signature'>): string {
  const { number, at, complete, books, content, previous, public_key } = checkpoint;
  return sha256(
    JSON.stringify(['perfume-warehouse checkpoint', number, at, complete, books, content, previous, public_key]),
  );
}

export function hasValidSignature({ hash, public_key, signature }: Checkpoint): boolean {
  try {
    return verify(null, Buffer.from(hash), publicKeyOf(public_key), Buffer.from(signature, 'base64url'));
  } catch {
    // The stored key is not a key.
    return false;
  }
}

/** Writes a checkpoint as one short text, such as `12:pXK…`. */
export function formatCheckpoint({ number, hash }: KeptCheckpoint): string {
  return `${number}:${hash}`;
}

export function parseCheckpoint(text: string): KeptCheckpoint | null {
  const [, number, hash] = /^([1-9][0-9]{0,14}):([\w-]{43})$/.exec(text.trim()) ?? [];
  return number && hash ? { number: Number(number), hash } : null;
}

// An Ed25519 key in DER is 32 bytes after a fixed header.
const PRIVATE_HEADER = Buffer.from('302e020100300506032b657004220420', 'hex');
const PUBLIC_HEADER = Buffer.from('302a300506032b6570032100', 'hex');

/** Makes the key from its 32 bytes, written as 64 hexadecimal digits. */
export function signingKey(digits: string): SigningKey {
  const der = Buffer.concat([PRIVATE_HEADER, Buffer.from(digits, 'hex')]);
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const spki = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
  return {
    publicKey: spki.subarray(PUBLIC_HEADER.length).toString('base64url'),
    sign: (text) => sign(null, Buffer.from(text), privateKey).toString('base64url'),
  };
}

function publicKeyOf(text: string): KeyObject {
  const key = Buffer.concat([PUBLIC_HEADER, Buffer.from(text, 'base64url')]);
  return createPublicKey({ key, format: 'der', type: 'spki' });
}

function sha256(text: string): string {
  return hash('sha256', text, 'base64url');
}
