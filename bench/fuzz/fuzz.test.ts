import { describe, expect, test } from 'vitest';
import { newPostgresDatabase, testApp } from '../../server/src/testing.ts';
import { isLongForm } from '../../server/testing/form.ts';
import type {} from '../../server/testing/global-setup.ts';
import { type FuzzReport, fuzz } from './fuzz.ts';
import { randomOf } from './random.ts';
import { routes } from './routes.ts';
import { fuzzedServer } from './server.ts';

// The seed of this short test. To run the long one with a new seed: npm run bench -- fuzz --requests 100000
const seed = 7;

async function run(databaseUrl: string | null, requests: number): Promise<FuzzReport> {
  const server = await fuzzedServer(databaseUrl);
  try {
    return await fuzz({ url: server.url, store: server.store, seed, requests });
  } finally {
    await server.stop();
  }
}

function expectNoFault(report: FuzzReport): void {
  const described = report.faults
    .slice(0, 5)
    .map(({ number, what, curl }) => `#${number}: ${what}\n${curl.slice(0, 4_000)}`);
  expect(described, `seed ${seed}`).toEqual([]);
}

describe(`malformed requests (seed ${seed})`, () => {
  test('on SQLite cause no error and no timeout, get documented responses, and change nothing if refused', async () => {
    const report = await run(null, isLongForm ? 2_000 : 400);
    expectNoFault(report);
    expect(report.refusedBatches).toBeGreaterThan(isLongForm ? 4 : 1);
    for (const status of ['200', '201', '400', '401', '403', '404', '415', '422'])
      expect(report.statuses[status] ?? 0, `answers with ${status}`).toBeGreaterThan(0);
  }, 120_000);

  test('on PostgreSQL, which is stricter about text, do the same', async () => {
    expectNoFault(await run(await newPostgresDatabase(), isLongForm ? 600 : 60));
  }, 120_000);
});

test('every route of the server is tested', async () => {
  const app = await testApp('SQLite');
  const request = new Set(routes.map(({ method, path }) => `${method} ${path}`));
  // One route, `/*`, serves all files and pages. The fuzzed routes name the pages instead.
  const known = (path: string) => path === '/*';
  const missing = app.routes
    .flatMap(({ method, url }) => [method].flat().map((one) => [one, url] as const))
    .filter(([method, url]) => method !== 'HEAD' && method !== 'OPTIONS' && !known(url))
    .filter(([method, url]) => !request.has(`${method} ${url}`));
  await app.close();
  expect(missing).toEqual([]);
});

test('the same seed gives the same values, and another seed others', () => {
  const throws = (seed: number) => Array.from({ length: 50 }, (_, at) => randomOf(seed, at).whole(0, 1_000_000));
  expect(throws(7)).toEqual(throws(7));
  expect(throws(7)).not.toEqual(throws(8));
  expect(new Set(throws(7)).size).toBeGreaterThan(45);
});
