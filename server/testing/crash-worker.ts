// A server that is killed in the middle of its work: does the deeds it is given over and over, until then.
import { openDatabase } from '../src/db/open.ts';
import { type Deed, doDeed, type Scene } from './actions.ts';

export type Orders = { url: string; scene: Scene; deeds: Deed[] };

const { url, scene, deeds } = JSON.parse(process.argv[2] ?? '') as Orders;
const db = await openDatabase(url);
process.stdout.write('at work\n');
for (;;) await Promise.all(deeds.map((deed) => doDeed(db, deed, scene, false)));
