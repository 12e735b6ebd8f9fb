import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { StoreUnavailable } from '../core/errors.ts';
import { queryProcess } from '../kept/query-process.ts';

const numbers = (where: string) =>
  `with recursive n(x) as (select 1 union all select x + 1 from n ${where}) select count(*) as n from n`;
const LONG_QUERY = numbers('where x < 500000');
const ENDLESS_QUERY = numbers('');

let folder: string;
let analytics: ReturnType<typeof queryProcess>;

function open(limits?: Parameters<typeof queryProcess>[2]) {
  const file = join(folder, 'a.sqlite');
  new DatabaseSync(file).close();
  analytics = queryProcess(new URL('./analytics-child.ts', import.meta.url), { database: file }, limits);
  return analytics.query;
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'perfume-analytics-'));
});

afterEach(() => {
  analytics.close();
  rmSync(folder, { recursive: true });
});

test('refuses long queries beyond the queue limit at once and answers all the others', async () => {
  const query = open();
  const results = await Promise.allSettled(
    [LONG_QUERY, ...Array(39).fill('select 1 as n')].map((text) => query({ text, params: [] })),
  );
  const refused = results.filter((result) => result.status === 'rejected');
  expect(refused).toHaveLength(7);
  for (const { reason } of refused) expect(reason).toBeInstanceOf(StoreUnavailable);
  expect(results[0]).toMatchObject({ value: [{ n: 500_000 }] });
  expect(await query({ text: 'select 2 as n', params: [] })).toMatchObject([{ n: 2 }]);
});

test('stops a query that takes too long, and answers those that waited for it', async () => {
  const query = open({ timeoutMs: 3_000 });
  const [endless, waiting] = await Promise.allSettled([
    query({ text: ENDLESS_QUERY, params: [] }),
    query({ text: 'select 1 as n', params: [] }),
  ]);
  expect(endless).toMatchObject({ status: 'rejected', reason: expect.any(StoreUnavailable) });
  expect(waiting).toMatchObject({ status: 'fulfilled', value: [{ n: 1 }] });
});

test('reports a wrong query and answers the next', async () => {
  const query = open();
  await expect(query({ text: 'select * from nowhere', params: [] })).rejects.toThrow('no such table: nowhere');
  expect(await query({ text: 'select 1 as n', params: [] })).toMatchObject([{ n: 1 }]);
});
