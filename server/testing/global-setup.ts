import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { openDatabase } from '../src/db/open.ts';
import { startPostgres } from './postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The maintenance database of a real PostgreSQL server, on which each test file creates its own database. */
    postgresUrl: string;
    /** Databases on which the migrations have run, for tests to copy: a file, and the name of a PostgreSQL database. */
    migrated: { sqlite: string; postgres: string };
  }
}

export default async function prepareDatabases(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await startPostgres();
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'perfume-migrated-'));
  const migrated = { sqlite: path.join(folder, 'warehouse.sqlite'), postgres: 'migrated' };
  await postgres.createDatabase(migrated.postgres);
  for (const url of [migrated.sqlite, postgres.url(migrated.postgres)]) await (await openDatabase(url)).close();
  project.provide('postgresUrl', postgres.url());
  project.provide('migrated', migrated);
  return async () => {
    await postgres.stop();
    await fs.rm(folder, { recursive: true });
  };
}
