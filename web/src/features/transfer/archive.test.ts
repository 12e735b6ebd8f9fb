import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { ZipFile } from 'yazl';
import { openArchive } from './archive.ts';

const NAME = `${'0a'.repeat(20)}.webp`;

async function anArchive(files: Record<string, string>, forceZip64Format = false): Promise<Blob> {
  const zip = new ZipFile();
  for (const [name, text] of Object.entries(files)) {
    const compress = name.endsWith('.csv');
    zip.addBuffer(Buffer.from(text), name, { compress, forceZip64Format });
  }
  zip.end({ forceZip64Format, comment: 'packed again' });
  return new Blob([new Uint8Array(await buffer(zip.outputStream))]);
}

test.each([false, true])('an archive is opened, also one with long numbers: %s', async (isLong) => {
  const file = await anArchive(
    { 'items.csv': 'name\nIris', [`pictures/${NAME}`]: 'pixels', 'history.jsonl': '' },
    isLong,
  );
  const archive = await openArchive(file);
  expect(await archive?.items.text()).toBe('name\nIris');
  expect(archive?.pictures.map(({ name }) => name)).toEqual([NAME]);
  expect(await (await archive?.pictures[0]?.read())?.text()).toBe('pixels');
});

test('another file is no archive', async () => {
  const other = await anArchive({ 'xl/workbook.xml': '<workbook/>' });
  const truncated = (await anArchive({ 'items.csv': 'name' })).slice(0, -30);
  for (const file of [other, truncated, new Blob(['name,price']), new Blob([])])
    expect(await openArchive(file)).toBeNull();
});
