// npm run verify: checks the whole ledger and names the first row that was changed after it was written. It checks a
// snapshot, so the server can keep running.
import { readDataLocation } from '../config.ts';
import { openSnapshot } from '../db/backup/snapshot.ts';
import { requireIntactLedger } from '../ledger/verify.ts';
import { formatNumber, print, runProgram, secondsSince, showProgress } from './terminal.ts';

await runProgram(async () => {
  const startedAt = Date.now();
  const store = await openSnapshot(readDataLocation().databaseUrl);
  const { items, movements, fingerprint } = await requireIntactLedger(store.query, showProgress('movements')).finally(
    store.close,
  );
  print(
    `The ledger is intact: ${formatNumber(movements)} movements of ${formatNumber(items)} items, checked in ${secondsSince(startedAt)}.\n` +
      `Fingerprint of the ledger (keep a copy on another machine): ${fingerprint || 'empty'}`,
  );
});
