import { randomUUID } from 'node:crypto';
import type { RowValues } from '@perfume/domain/imports';
import { expect, test } from 'vitest';
import { SHARED_HOUSE } from '../db/core/shared-house.ts';
import { anItem, onBothDatabases, signedInAs } from '../testing.ts';
import { planRows } from './plan-rows.ts';

onBothDatabases('planning rows', (shared) => {
  test('reads the texts of an item once, however many of its codes the rows name', async () => {
    const person = await signedInAs(shared);
    const codes = Array.from({ length: 20 }, () => `c-${randomUUID().slice(0, 13)}`);
    const [one, two] = [codes.slice(0, 10), codes.slice(10)];
    const first = await anItem(person, { name: 'One', barcodes: one });
    await anItem(person, { name: 'Two', barcodes: two });
    let read = 0;
    const watched = shared.db.query.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        read += result.rows.filter((row) => 'description' in row).length;
        return result;
      },
    });
    const importer = { name: person.user.name, email: person.user.email };
    const rows: RowValues[] = [{ barcodes: one, priceCents: 100 }, { barcodes: codes }, { barcodes: two.toReversed() }];
    const planned = await planRows(watched, { house: SHARED_HOUSE, mode: 'update', importer }, rows);
    expect(planned.map(({ plan }) => plan.kind)).toEqual(['change', 'bad', 'skip']);
    expect(planned[0]?.plan).toMatchObject({ item: { id: first._id } });
    expect(planned[1]?.plan).toMatchObject({
      problems: [{ error: { code: 'code_taken', taken: two[0], name: 'Two' } }],
    });
    expect(read).toBe(2);
  });
});
