// npm run migrate: migrates PostgreSQL with the role of DATABASE_OWNER_URL and grants the role of DATABASE_URL what the
// server needs. Without DATABASE_OWNER_URL the server migrates by itself.
import { readDataLocation, takeDatabaseOwnerUrl } from '../config.ts';
import { OperatorError } from '../db/core/errors.ts';
import { isPostgres } from '../db/open.ts';
import { migrateAsOwner } from '../db/postgres/runtime-role.ts';
import { print, runProgram } from './terminal.ts';

await runProgram(async () => {
  const { databaseUrl } = readDataLocation();
  const ownerUrl = takeDatabaseOwnerUrl();
  if (!ownerUrl || !isPostgres(databaseUrl))
    throw new OperatorError(
      'Set DATABASE_OWNER_URL (the role that owns the tables) and DATABASE_URL (the role of the server).\n' +
        'With one role, or with SQLite, the server migrates the database when it starts.',
    );
  await migrateAsOwner(ownerUrl, databaseUrl);
  print('The database is migrated, and the role of DATABASE_URL may read and write what the server needs.');
});
