import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

type Mutant = { file: string; replace: string; by: string };

/** Promises of the product, each broken in one place: what the checker must notice. */
export const mutants = {
  'idempotency off': {
    file: 'server/src/http/idempotency.ts',
    replace: 'if (header === undefined) return null;',
    by: 'if (header !== null) return null;',
  },
  'last write wins': {
    file: 'server/src/ledger/ledger.routes.ts',
    replace: 'return differenceSeen(target, seen);',
    by: "return { kind: 'correction', target, ifVersion: null };",
  },
  // As stores do that commit every so often: the answers are out, and the disk has yet to hear of it.
  'answer before the commit': {
    file: 'server/src/db/sqlite/group-commit.ts',
    replace: 'for (const job of batch) settle.push(await runInSavepoint(job));',
    by: `for (const job of batch) (await runInSavepoint(job))();
      await new Promise((resolve) => setTimeout(resolve, 25));`,
  },
} as const satisfies Record<string, Mutant>;

export type MutantName = keyof typeof mutants;

/** Where the mutant lives. */
export function fileOf(name: MutantName): string {
  return join(ROOT, mutants[name].file);
}

/** The source with the promise broken; throws when the place is no longer there, so that no mutant is tame unseen. */
export function mutate(name: MutantName, source: string): string {
  const { file, replace, by } = mutants[name];
  const parts = source.split(replace);
  if (parts.length !== 2) throw new Error(`the mutant "${name}" finds its place ${parts.length - 1} times in ${file}`);
  return parts.join(by);
}

/** Throws unless the mutant would take effect in the source as it is. */
export function mustApply(name: MutantName): void {
  mutate(name, readFileSync(fileOf(name), 'utf8'));
}
