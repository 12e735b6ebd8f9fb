import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { csvLine, UTF8_BOM, withoutApostrophe } from './csv.ts';

// Random texts, many of them made of characters that break CSV: signs, quotes, separators and line breaks.
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n', '"', ',', ';', "'", 'a', '＝') }),
);

describe('a line of CSV', () => {
  test('can be parsed back into the same cells', () => {
    fc.assert(
      fc.property(fc.array(fc.array(anyText, { minLength: 1, maxLength: 5 }), { maxLength: 5 }), (lines) => {
        const read = parseCsv(lines.map(csvLine).join(''));
        expect(read.map((cells) => cells.map(withoutApostrophe))).toEqual(lines);
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

test('the mark at the start of a file is that of UTF-8', () => {
  expect([...new TextEncoder().encode(UTF8_BOM)]).toEqual([0xef, 0xbb, 0xbf]);
});

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
