// Passed to a server with --import: replaces one piece of its source when it is loaded, so the product needs no test hooks.
import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { fileOf, type MutantName, mutants, mutate } from './mutants.ts';

const name = process.env.MUTANT as MutantName;
if (!Object.hasOwn(mutants, name)) throw new Error(`there is no mutant "${name}"`);
const url = pathToFileURL(fileOf(name)).href;

registerHooks({
  load(asked, context, next) {
    const loaded = next(asked, context);
    if (asked !== url) return loaded;
    return { ...loaded, source: mutate(name, String(loaded.source)) };
  },
});
