// A server that is killed in the middle of its work: does the actions it is given over and over, until then.
import { openDatabase } from '../src/db/open.ts';
import { type Action, performAction, type World } from './actions.ts';

export type Orders = { url: string; scene: World; actions: Action[] };

const { url, scene, actions } = JSON.parse(process.argv[2] ?? '') as Orders;
const db = await openDatabase(url);
process.stdout.write('at work\n');
for (;;) await Promise.all(actions.map((action) => performAction(db, action, scene, false)));
