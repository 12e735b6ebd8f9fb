// A server that is killed in the middle of its work: does the deeds it is given over and over, until then.
import { openDatabase } from '../src/db/open.ts';
import { type Action, performAction, type World } from './actions.ts';

export type Orders = { url: string; scene: World; deeds: Action[] };

const { url, scene, deeds } = JSON.parse(process.argv[2] ?? '') as Orders;
const db = await openDatabase(url);
process.stdout.write('at work\n');
for (;;) await Promise.all(deeds.map((deed) => performAction(db, deed, scene, false)));
