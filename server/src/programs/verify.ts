// npm run verify: walks the whole ledger and names the first row that is not as it was written. A server may be at work
// meanwhile: what is checked is one moment of it.
import { readDataLocation } from '../config.ts';
import { openSnapshot } from '../db/backup/snapshot.ts';
import { requireWholeLedger } from '../ledger/verify.ts';
import { asProgram, number, say, seconds, showing } from './terminal.ts';

await asProgram(async () => {
  const began = Date.now();
  const store = await openSnapshot(readDataLocation().databaseUrl);
  const { items, movements, fingerprint } = await requireWholeLedger(store.query, showing('movements')).finally(
    store.close,
  );
  say(
    `The ledger is whole: ${number(movements)} movements of ${number(items)} items, checked in ${seconds(began)}.\n` +
      `Its fingerprint, to be kept elsewhere: ${fingerprint || 'empty'}`,
  );
});
