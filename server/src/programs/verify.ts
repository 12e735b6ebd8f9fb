// npm run verify: checks the whole ledger and all checkpoints, and names what was changed after it was written. It checks a
// snapshot, so the server can keep running.
// In the data folder of a server, it also compares the checkpoint that the server remembers.
// npm run verify -- --since 12:…: also compares a checkpoint that was kept elsewhere, and so proves what came before it.
// npm run verify -- --checkpoint: only prints the newest checkpoint.
import { parseArgs } from 'node:util';
import { readCheckpointKey, readDataLocation } from '../config.ts';
import { openSnapshot, type Snapshot } from '../db/backup/snapshot.ts';
import { OperatorError } from '../db/core/errors.ts';
import { type KeptCheckpoint, parseCheckpoint, signingKey } from '../ledger/checkpoint.ts';
import { newestCheckpoint } from '../ledger/checkpoints.store.ts';
import { readLastCheckpoint } from '../ledger/last-checkpoint.ts';
import { describeBroken, verifyLedger } from '../ledger/verify.ts';
import { verifyCheckpoints } from '../ledger/verify-checkpoints.ts';
import { formatNumber, print, printCheckpoint, runProgram, secondsSince, showProgress } from './terminal.ts';

await runProgram(async () => {
  const { since, publicKeys, onlyPrint } = readArguments();
  const { dataDir, databaseUrl } = readDataLocation();
  // Read before the snapshot is taken, so that it cannot be newer than the snapshot.
  const remembered = readLastCheckpoint(dataDir);
  const store = await openSnapshot(databaseUrl);
  try {
    if (onlyPrint) await printNewest(store);
    else await verify(store, { since, remembered }, publicKeys);
  } finally {
    await store.close();
  }
});

type Kept = Record<'since' | 'remembered', KeptCheckpoint | null>;

async function verify(store: Snapshot, { since, remembered }: Kept, given: string[]): Promise<void> {
  const startedAt = Date.now();
  const { items, movements, broken } = await verifyLedger(store.query, showProgress('movements'));
  const faults = broken ? [describeBroken(broken)] : [];
  if (!hasCheckpoints(store) && (since || remembered))
    throw new OperatorError('The database is from a version without checkpoints.');
  const key = readCheckpointKey(false);
  const publicKeys = key ? [signingKey(key).publicKey, ...given] : given;
  const checked = hasCheckpoints(store)
    ? await verifyCheckpoints(store.query, { publicKeys, since, remembered })
    : null;
  faults.push(...(checked?.faults ?? []));
  if (faults.length > 0) throw new OperatorError(faults.join('\n'));

  print(
    `The ledger is intact: ${formatNumber(movements)} movements of ${formatNumber(items)} items, checked in ${secondsSince(startedAt)}.`,
  );
  const newest = checked?.newest;
  if (!newest) return print('There is no checkpoint yet. The server makes the first one a minute after it starts.');
  print(
    `Checkpoints checked: ${formatNumber(newest.number)}, over ${formatNumber(checked.rows)} rows of the ledger and the history.`,
  );
  if (publicKeys.length === 0)
    print(
      `They were not compared with a key that you know: use --public-key. They name ${checked.publicKeys.join(', ')}.`,
    );
  if (since) print(`Nothing that checkpoint ${since.number} covers was changed or removed.`);
  if (remembered) print(`Checkpoint ${remembered.number}, which this server remembers, is there.`);
  printCheckpoint(newest);
}

async function printNewest(store: Snapshot): Promise<void> {
  const newest = hasCheckpoints(store) ? await newestCheckpoint(store.query) : null;
  if (!newest) throw new OperatorError('There is no checkpoint yet.');
  printCheckpoint(newest);
  print(`Public key: ${newest.public_key}`);
}

/** Whether the database is from a version with checkpoints. This program also checks older ones, and does not migrate. */
function hasCheckpoints({ migrations }: Snapshot): boolean {
  return migrations.some(({ name }) => name === '0019-checkpoints');
}

function readArguments() {
  const { values } = parse();
  const since = values.since === undefined ? null : parseCheckpoint(values.since);
  if (values.since !== undefined && !since)
    throw new OperatorError('Usage: npm run verify -- --since 12:… (a checkpoint: its number and its hash)');
  return { since, publicKeys: values['public-key'], onlyPrint: values.checkpoint };
}

function parse() {
  try {
    return parseArgs({
      options: {
        since: { type: 'string' },
        'public-key': { type: 'string', multiple: true, default: [] },
        checkpoint: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new OperatorError((error as Error).message);
  }
}
