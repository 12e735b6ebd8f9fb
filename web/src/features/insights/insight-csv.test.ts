import { expect, test } from 'vitest';
import { deadStockFile, sellersFile, seriesFile, suppliersFile } from './insight-csv.ts';

const line = { id: '0197a3c2', supplierName: 'Port, "Fils"', imageUrl: '', onHand: 17 };

test('a file has a header, a row for each, and plain numbers', () => {
  const point = {
    from: '2026-01-01',
    to: '2026-01-07',
    unitsOnHand: 41,
    valueCents: 123_405,
    delivered: 3,
    restocked: 0,
  };
  const file = seriesFile({
    from: '2026-01-01',
    to: '2026-01-07',
    step: 'week',
    points: [{ ...point, corrected: -2, other: 0 }],
  });
  expect(file.name).toBe('stock-by-week-2026-01-01-2026-01-07');
  expect(file.text.split('\r\n')[1]).toBe('"2026-01-01","2026-01-07",41,1234.05,3,0,-2,0');
});

test('no name becomes a formula in a spreadsheet', () => {
  const item = {
    ...line,
    name: '=HYPERLINK("https://evil.example")',
    delivered: 41,
    days: 29.4,
    perDay: 41 / 29.4,
    daysLeft: 12,
  };
  const { text } = sellersFile({ from: 'a', to: 'b', items: [item] }, 'fastest');
  expect(text.split('\r\n')[1]).toBe(
    '"\'=HYPERLINK(""https://evil.example"")","Port, ""Fils""",41,29.4,1.3946,17,12,"0197a3c2"',
  );
});

test('unknown values are left empty', () => {
  const dead = deadStockFile({
    days: 90,
    total: { items: 1, unitsOnHand: 17, valueCents: 1 },
    items: [{ ...line, name: 'Iris', valueCents: 99, lastDelivered: null, idleDays: 120 }],
  });
  expect(dead.text.split('\r\n')[1]).toBe('"Iris","Port, ""Fils""",17,0.99,"",120,"0197a3c2"');
  const sums = { items: 1, unitsOnHand: 2, valueCents: 300, delivered: 4 };
  const suppliers = suppliersFile({
    from: 'a',
    to: 'b',
    total: { suppliers: 1, ...sums },
    suppliers: [{ supplierName: '+33', ...sums }],
  });
  expect(suppliers.text.split('\r\n')[1]).toBe('"\'+33",1,2,3.00,4');
});
