import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { StoreUnavailable } from '../core/errors.ts';
import { analyticsWorker } from './analytics-worker.ts';

const LONG =
  'with recursive n(x) as (select 1 union all select x + 1 from n where x < 500000) select count(*) as n from n';

test('beyond what can be answered in time, long questions are refused at once; the others are all answered', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'perfume-analyst-'));
  const file = join(folder, 'a.sqlite');
  new DatabaseSync(file).close();
  const { ask, close } = analyticsWorker(file);
  try {
    const asked = await Promise.allSettled([LONG, ...Array(39).fill('select 1 as n')].map((text) => ask(text, [])));
    const refused = asked.filter((one) => one.status === 'rejected');
    expect(refused).toHaveLength(8);
    for (const { reason } of refused) expect(reason).toBeInstanceOf(StoreUnavailable);
    expect(asked[0]).toMatchObject({ value: [{ n: 500_000 }] });
    expect(await ask('select 2 as n', [])).toMatchObject([{ n: 2 }]);
  } finally {
    close();
    rmSync(folder, { recursive: true });
  }
});
