// npm run verify: walks the whole ledger and names the first row that is not as it was written.
import { ConfigError, readConfig } from './config.ts';
import { openDatabase } from './db/database.ts';
import { verifyLedger } from './stock/verify.ts';

try {
  const db = await openDatabase(readConfig().databaseUrl);
  const began = Date.now();
  const { items, movements, fingerprint, broken } = await verifyLedger(db.query, (count) => {
    if (process.stdout.isTTY) process.stdout.write(`\r${count.toLocaleString('en')} movements …`);
  });
  await db.close();
  if (process.stdout.isTTY) process.stdout.write('\r');
  if (broken) {
    console.error(
      `Broken at movement ${broken.movementId ?? '(none)'}, number ${broken.seq} of item ${broken.itemId}: ${broken.what}.`,
    );
    process.exitCode = 1;
  } else {
    const seconds = ((Date.now() - began) / 1_000).toFixed(1);
    console.log(
      `The ledger is whole: ${movements.toLocaleString('en')} movements of ${items.toLocaleString('en')} items, checked in ${seconds} s.`,
    );
    console.log(`Its fingerprint, to be kept elsewhere: ${fingerprint || 'empty'}`);
  }
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
