import { expect, test } from 'vitest';
import { zip } from '../../testing/zip.ts';
import { readFile } from './file-reader.ts';

const MB = 1024 * 1024;
const SHEET = 'xl/worksheets/sheet1.xml';
const { signal } = new AbortController();

test('a file that takes more than the memory is refused, and ends nothing but its own process', async () => {
  const rows = Buffer.alloc(8 * MB, 'Oud,12,3\n');
  expect(await readFile(rows, signal, 40)).toEqual({ ok: false, error: { code: 'table_too_large' } });
});

test('empty cells far to the right and a text without end take no room', async () => {
  const content = Buffer.concat([
    Buffer.from('<worksheet><sheetData>'),
    Buffer.from('<row><c r="KN1"/></row>'.repeat(50_000)),
    Buffer.from('<row><c t="str"><v>_x4E00_&#x4E00;'),
    Buffer.alloc(30 * MB, 'a'),
    Buffer.from('</v></c></row></sheetData></worksheet>'),
  ]);
  const read = await readFile(zip({ [SHEET]: content }), signal, 60);
  expect(read).toMatchObject({ ok: true, rowCount: 1 });
  expect(read.ok && read.facts.preview[0]?.[0]).toMatch(/^一一a+$/);
});

test('rows have numbers of their own, whatever a sheet says, and an endless format takes no time', async () => {
  const row = (number: string) => `<row r="${number}"><c t="str"><v>Oud ${number}</v></c></row>`;
  const rows = ['NaN', '3', '3.5', '1e999', '-1', '12'].map(row).join('');
  const styles = `<styleSheet><numFmts><numFmt numFmtId="200" formatCode="${'['.repeat(5 * MB)}"/></numFmts></styleSheet>`;
  const sheet = `<worksheet><sheetData>${rows}</sheetData></worksheet>`;
  const read = await readFile(zip({ [SHEET]: sheet, 'xl/styles.xml': styles }), signal);
  const numbers = read.ok && read.chunks.flatMap((chunk) => JSON.parse(chunk.rows)).map(([number]) => number);
  expect(numbers).toEqual([1, 3, 4, 5, 6, 12]);
});

test('a reader whose person has left is stopped', async () => {
  const leaving = new AbortController();
  const reading = readFile(Buffer.alloc(8 * MB, 'Oud,12,3\n'), leaving.signal);
  leaving.abort();
  expect(await reading).toMatchObject({ ok: false });
});
