import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPrivateFile } from '../config.ts';
import { LAST_CHECKPOINT } from '../db/backup/backup-folder.ts';
import { OperatorError } from '../db/core/errors.ts';
import { formatCheckpoint, type KeptCheckpoint, parseCheckpoint } from './checkpoint.ts';

export type LastCheckpoint = ReturnType<typeof lastCheckpoint>;

/**
 * The newest checkpoint that this server has signed or seen, in a file outside the database: the owner of the database
 * cannot change it. Where the file cannot be written, it is kept in memory until the server stops.
 */
export function lastCheckpoint(dataDir: string) {
  const file = join(dataDir, LAST_CHECKPOINT);
  let inMemory: KeptCheckpoint | null = null;

  return {
    /** Returns null if nothing is remembered yet, or the operator has removed the file. */
    recall(): KeptCheckpoint | null {
      return inMemory ?? readLastCheckpoint(dataDir);
    },
    remember({ number, hash }: KeptCheckpoint): void {
      if (this.recall()?.hash === hash) return;
      try {
        createPrivateFile(file, formatCheckpoint({ number, hash }));
        inMemory = null;
      } catch {
        inMemory = { number, hash };
      }
    },
  };
}

export function readLastCheckpoint(dataDir: string): KeptCheckpoint | null {
  const file = join(dataDir, LAST_CHECKPOINT);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    throw new OperatorError(`${file} cannot be read (${code}).`);
  }
  const kept = parseCheckpoint(text);
  if (!kept) throw new OperatorError(`${file} is damaged. See "Checkpoints of the ledger" in docs/operating.md.`);
  return kept;
}
