// A module that is passed to a server with --import. It replaces one piece of the server's source when that is loaded,
// so the product needs no test hooks.
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
