import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { csvHead, csvLine, csvOfItem, UTF8_BOM } from './csv.ts';
import type { Item } from './items.ts';

const item: Item = {
  id: '0199',
  name: 'Rose "Noire", No. 3',
  supplierName: 'Verrière',
  email: 'a@example.com',
  quantity: 12,
  priceCents: 14_850,
  description: 'First line\nsecond; line',
  imageUrl: '/bottles/rose.svg',
  version: 3,
  createdAt: Date.UTC(2026, 0, 2, 3, 4, 5, 6),
  updatedAt: Date.UTC(2026, 1, 3),
  reorderPoint: null,
  sku: 'RN-3',
  barcodes: ['4006381333931', 'A 1'],
  lowAt: 10,
};

// Random texts, many of them made of characters that break CSV: signs, quotes, separators and line breaks.
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n', '"', ',', ';', "'", 'a', '＝') }),
);

describe('a line of CSV', () => {
  test('can be parsed back into the same cells, apart from the apostrophe before formulas', () => {
    fc.assert(
      fc.property(fc.array(fc.array(anyText, { minLength: 1, maxLength: 5 }), { maxLength: 5 }), (lines) => {
        const read = parseCsv(lines.map(csvLine).join(''));
        expect(read.map((cells) => cells.map(withoutApostrophe))).toEqual(
          lines.map((cells) => cells.map(withoutApostrophe)),
        );
      }),
    );
  });

  test('never starts a cell with a character that starts a formula', () => {
    fc.assert(
      fc.property(fc.array(anyText, { minLength: 1 }), (cells) => {
        for (const cell of parseCsv(csvLine(cells))[0] ?? []) expect(cell).not.toMatch(/^[=+\-@\t\r\n＝＋－＠]/);
      }),
    );
  });

  test('does not change a text that is not a formula', () => {
    expect(csvLine(["d'Encre", 'a=b', ''])).toBe(`"d'Encre","a=b",""\r\n`);
  });

  test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx'])('puts an apostrophe before %j', (text) => {
    expect(parseCsv(csvLine([text]))).toEqual([[`'${text}`]]);
  });
});

describe('an export of items', () => {
  test('has a heading and one line per item, with unquoted numbers', () => {
    expect(csvHead).toBe(
      '"name","supplier","e-mail","quantity","price","description","id","created","updated","sku","barcodes"\r\n',
    );
    expect(csvOfItem(item)).toBe(
      '"Rose ""Noire"", No. 3","Verrière","a@example.com",12,148.50,"First line\nsecond; line","0199",' +
        '"2026-01-02T03:04:05.006Z","2026-02-03T00:00:00.000Z","RN-3","4006381333931; A 1"\r\n',
    );
  });

  test('starts with the UTF-8 byte order mark', () => {
    expect([...new TextEncoder().encode(UTF8_BOM)]).toEqual([0xef, 0xbb, 0xbf]);
  });
});

function withoutApostrophe(cell: string): string {
  return cell.replace(/^'(?=[=+\-@\t\r\n＝＋－＠])/, '');
}

/** Parses RFC 4180. Written independently of the code under test. */
function parseCsv(text: string): string[][] {
  const lines: string[][] = [];
  let cells: string[] = [];
  let at = 0;
  while (at < text.length) {
    let cell = '';
    if (text[at] === '"') {
      at++;
      while (text[at] !== '"' || text[at + 1] === '"') {
        if (at >= text.length) throw new Error('a quoted cell is not closed');
        if (text[at] === '"') at++;
        cell += text[at++];
      }
      at++;
    } else while (text[at] !== ',' && text[at] !== '\r') cell += text[at++];
    cells.push(cell);
    if (text[at] === ',') at++;
    else if (text.startsWith('\r\n', at)) {
      lines.push(cells);
      cells = [];
      at += 2;
    } else throw new Error(`neither comma nor line end at ${at}`);
  }
  return lines;
}
