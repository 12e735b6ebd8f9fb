import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

type Mutant = { file: string; replace: string; by: string };

/** Mutants: each breaks one guarantee of the product in one place, and the checker must notice. */
export const mutants = {
  'idempotency off': {
    file: 'server/src/http/idempotency.ts',
    replace: 'if (header === undefined) return null;',
    by: 'if (header !== null) return null;',
  },
  'last write wins': {
    file: 'server/src/ledger/ledger.routes.ts',
    replace: 'return differenceSeen(target, seen.value, reason);',
    by: "return { kind: 'correction', target, ifVersion: null, reason };",
  },
  // This mutant imitates databases that flush periodically: the response is sent before the data is on disk.
  'answer before the commit': {
    file: 'server/src/db/sqlite/group-commit.ts',
    replace: 'settle.push(await (inSavepoints ? runInSavepoint(job) : run(job)));',
    by: `(await run(job))();
        settle.push(() => {});
        await new Promise((resolve) => setTimeout(resolve, 25));`,
  },
} as const satisfies Record<string, Mutant>;

export type MutantName = keyof typeof mutants;

/** The source file that the mutant changes. */
export function fileOf(name: MutantName): string {
  return join(ROOT, mutants[name].file);
}

/**
 * The source with the guarantee broken. Throws if the code to replace is gone, so that no mutant silently does nothing.
 */
export function mutate(name: MutantName, source: string): string {
  const { file, replace, by } = mutants[name];
  const parts = source.split(replace);
  if (parts.length !== 2) throw new Error(`the mutant "${name}" finds its place ${parts.length - 1} times in ${file}`);
  return parts.join(by);
}

/** Throws unless the mutant applies to the present source. */
export function mustApply(name: MutantName): void {
  mutate(name, readFileSync(fileOf(name), 'utf8'));
}
