import type { TestProject } from 'vitest/node';
import { startPostgres } from './postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The maintenance database of a real PostgreSQL server, on which each test file creates its own database. */
    postgresUrl: string;
  }
}

export default async function startPostgresOnce(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await startPostgres();
  project.provide('postgresUrl', postgres.url());
  return postgres.stop;
}
