// Moves a server from ACCESS=open to ACCESS=houses and back. Stop the server first.
// npm run assign-houses -- --all-to <house>: moves all items of the shared house into this one.
// npm run assign-houses -- --by-email [--rest-to <house>]: moves each item into the house that the verified account with the
// item's email address owns, and makes that house if they own none. Items whose address has no account go to --rest-to.
// npm run assign-houses -- --to-open: moves the items of all houses back into the shared house.
// A house is named by its id or by the last part of its public address. Without --yes it only prints what would be done.
import { parseArgs } from 'node:util';
import { readDataLocation, takeDatabaseOwnerUrl } from '../config.ts';
import { openSnapshot } from '../db/backup/snapshot.ts';
import { changeExclusively } from '../db/change-exclusively.ts';
import { OperatorError } from '../db/core/errors.ts';
import type { Queries } from '../db/core/statement.ts';
import { requireUpToDate } from '../db/migrations/migrate.ts';
import {
  type Assigned,
  type Assignment,
  assignedTables,
  assignHouses,
  findTarget,
  type Refused,
} from '../houses/assign.store.ts';
import { formatNumber, print, runProgram, secondsSince } from './terminal.ts';

const USAGE = `Usage: npm run assign-houses -- --all-to <house> [--yes]
   or: npm run assign-houses -- --by-email [--rest-to <house>] [--yes]
   or: npm run assign-houses -- --to-open [--yes]
A house is named by its id or by the last part of its public address.`;

await runProgram(async () => {
  const wanted = readArguments();
  const { databaseUrl } = readDataLocation();
  // First checks the migrations in a snapshot, which only reads. Opening the database would migrate it.
  const { dialect, migrations, close } = await openSnapshot(databaseUrl);
  await close();
  requireUpToDate(migrations, dialect);
  const startedAt = Date.now();
  const ownerUrl = takeDatabaseOwnerUrl();
  const url = dialect === 'postgres' && ownerUrl ? ownerUrl : databaseUrl;
  // Without --yes the same work is done and rolled back, so the numbers are exact.
  const outcome = await changeExclusively(url, assignedTables, async (db) => {
    const result = await assignHouses(db, await readAssignment(db, wanted), startedAt);
    return { commit: result.ok && wanted.yes, result };
  });
  if (!outcome.ok) throw new OperatorError(describeRefusal(outcome));
  describe(outcome, wanted.toOpen);
  if (!wanted.yes) return print('Nothing was changed. Run this again with --yes to do it.');
  print(
    `Done in ${secondsSince(startedAt)}. Check it with npm run verify, then start the server with ` +
      `ACCESS=${wanted.toOpen ? 'open' : 'houses'}.`,
  );
});

function describe({ moved, created, left }: Assigned, toOpen: boolean): void {
  if (moved.length === 0) print('There is nothing to move.');
  for (const { name, slug, items, movements, events, alerts, counts } of moved) {
    const rest = { movements, 'edits and deletions': events, alerts, 'count sessions': counts };
    const list = Object.entries(rest).map(([what, many]) => `${formatNumber(many)} ${what}`);
    print(`${name} (${slug}) gets ${formatNumber(items)} items with ${list.join(', ')}.`);
  }
  if (created > 0) print(`${formatNumber(created)} of these houses are new, for people who owned none.`);
  if (toOpen) return;
  if (left.counts > 0)
    print(
      `${formatNumber(left.counts)} closed count sessions stay in the shared house: they have no items, or items of ` +
        'several houses. Only --to-open shows them again.',
    );
  if (left.keys > 0)
    print(
      `${formatNumber(left.keys)} API keys stop working with ACCESS=houses, because their people own no house that gets items.`,
    );
}

function describeRefusal(refused: Refused): string {
  if (refused.reason === 'open_counts')
    return `Post or cancel these count sessions first:\n${refused.names.map((name) => `  ${name}`).join('\n')}`;
  if (refused.reason === 'no_account')
    return `${formatNumber(refused.items)} items have an email address without a verified account: name a house for them with --rest-to.`;
  const lines = refused.items.map(
    ({ code, house, itemId, itemName }) => `  ${code}: ${itemName} of ${house} (${itemId})`,
  );
  return `In a house, a code leads to one item. Change these codes first:\n${lines.join('\n')}`;
}

type Wanted = ReturnType<typeof readArguments>;

async function readAssignment(db: Queries, { allTo, restTo, toOpen }: Wanted): Promise<Assignment> {
  if (toOpen) return { to: 'open' };
  if (allTo !== undefined) return { to: 'all', house: await requireHouse(db, allTo) };
  return { to: 'email', rest: restTo === undefined ? null : await requireHouse(db, restTo) };
}

async function requireHouse(db: Queries, idOrSlug: string): Promise<number> {
  const house = await findTarget(db, idOrSlug);
  if (house === null) throw new OperatorError(`No house has the id or the public address ${idOrSlug}.`);
  return house;
}

function readArguments() {
  const { 'all-to': allTo, 'by-email': byEmail, 'rest-to': restTo, 'to-open': toOpen, yes } = parse();
  const ways = [allTo !== undefined, byEmail, toOpen].filter(Boolean).length;
  if (ways !== 1 || (restTo !== undefined && !byEmail)) throw new OperatorError(USAGE);
  return { allTo, restTo, toOpen, yes };
}

function parse() {
  try {
    const { values } = parseArgs({
      options: {
        'all-to': { type: 'string' },
        'by-email': { type: 'boolean', default: false },
        'rest-to': { type: 'string' },
        'to-open': { type: 'boolean', default: false },
        yes: { type: 'boolean', default: false },
      },
    });
    return values;
  } catch (error) {
    throw new OperatorError(`${(error as Error).message}\n${USAGE}`);
  }
}
