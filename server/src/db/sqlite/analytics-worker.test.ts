import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { StoreUnavailable } from '../core/errors.ts';
import { analyticsWorker } from './analytics-worker.ts';

const LONG_QUERY =
  'with recursive n(x) as (select 1 union all select x + 1 from n where x < 500000) select count(*) as n from n';

test('refuses long queries beyond the queue limit at once and answers all the others', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'perfume-analytics-'));
  const file = join(folder, 'a.sqlite');
  new DatabaseSync(file).close();
  const { query, close } = analyticsWorker(file);
  try {
    const results = await Promise.allSettled(
      [LONG_QUERY, ...Array(39).fill('select 1 as n')].map((text) => query(text, [])),
    );
    const refused = results.filter((result) => result.status === 'rejected');
    expect(refused).toHaveLength(8);
    for (const { reason } of refused) expect(reason).toBeInstanceOf(StoreUnavailable);
    expect(results[0]).toMatchObject({ value: [{ n: 500_000 }] });
    expect(await query('select 2 as n', [])).toMatchObject([{ n: 2 }]);
  } finally {
    close();
    rmSync(folder, { recursive: true });
  }
});
