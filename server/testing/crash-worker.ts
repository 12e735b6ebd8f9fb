// Performs the given actions again and again until it is killed.
import { openDatabase } from '../src/db/open.ts';
import { type Action, performAction, type World } from './actions.ts';

export type CrashInput = { url: string; world: World; actions: Action[] };

const { url, world, actions } = JSON.parse(process.argv[2] ?? '') as CrashInput;
const db = await openDatabase(url);
process.stdout.write('started\n');
for (;;) await Promise.all(actions.map((action) => performAction(db, action, world, false)));
