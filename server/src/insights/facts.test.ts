import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { rowsOf } from '../db/core/kept-query.ts';
import { migrateSqlite } from '../db/migrations/migrate.ts';
import { factsBetween } from './facts.ts';

test('facts of few items are found item by item, those of many by time', () => {
  const connection = new DatabaseSync(':memory:');
  onTestFinished(() => connection.close());
  connection.function('ledger_hash', { varargs: true }, () => '');
  migrateSqlite(connection);
  connection.exec(
    'create temp table touched (num integer primary key, id text); create temp table part (after, until)',
  );
  const { all, part, few } = rowsOf((which) => factsBetween('1', '1000', null, which));
  const byTime = 'SEARCH m USING INDEX stock_movements_by_time';
  for (const [text, search] of [
    [few, 'SEARCH m USING PRIMARY KEY (item_id=?)'],
    [part, byTime],
    [all, byTime],
  ] as const) {
    const plan = connection.prepare(`explain query plan ${text}`).all() as { detail: string }[];
    const ofMovements = plan.map(({ detail }) => detail).filter((detail) => /^(?:SEARCH|SCAN) m\b/.test(detail));
    expect(ofMovements[0]).toContain(search);
  }
});
