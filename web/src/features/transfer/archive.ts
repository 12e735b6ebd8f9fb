/** What an import takes from an exported archive. */
export type Archive = { items: Blob; pictures: { name: string; read: () => Promise<Blob> }[] };

type Entry = { name: string; isPacked: boolean; size: number; header: number };

const DIRECTORY_ENTRY = 0x02_01_4b_50;
const END = 0x06_05_4b_50;
const END_LENGTH = 22;
const COMMENT_MAX = 65_535;
const LOCATOR_LENGTH = 20;
const LONG_END_LENGTH = 56;
const LONG_FIELD = 1;
/** Stands for a number that is elsewhere, because it needs 64 bits. */
const ELSEWHERE = 0xff_ff_ff_ff;

/**
 * Opens an exported archive of any size: only what is asked for is read from the file. Returns null if the file is
 * something else.
 */
export async function openArchive(file: Blob): Promise<Archive | null> {
  const entries = await entriesOf(file).catch(() => []);
  const items = entries.find(({ name }) => name === 'items.csv');
  if (!items) return null;
  return {
    items: await unpacked(file, items),
    pictures: entries.flatMap((entry) => {
      const name = /^pictures\/([0-9a-f]{40}\.webp)$/.exec(entry.name)?.[1];
      return name === undefined ? [] : { name, read: () => unpacked(file, entry) };
    }),
  };
}

/** The files of a ZIP archive, as its directory lists them. */
async function entriesOf(file: Blob): Promise<Entry[]> {
  const { offset, length } = await findDirectory(file);
  const directory = await viewOf(file.slice(offset, offset + length));
  const decoder = new TextDecoder();
  const entries: Entry[] = [];
  for (let at = 0; at + 46 <= directory.byteLength && directory.getUint32(at, true) === DIRECTORY_ENTRY; ) {
    const nameLength = directory.getUint16(at + 28, true);
    const extraLength = directory.getUint16(at + 30, true);
    const extra = at + 46 + nameLength;
    const longs = longNumbers(directory, extra, extra + extraLength);
    const size = directory.getUint32(at + 20, true);
    const header = directory.getUint32(at + 42, true);
    entries.push({
      name: decoder.decode(new Uint8Array(directory.buffer, at + 46, nameLength)),
      isPacked: directory.getUint16(at + 10, true) !== 0,
      // The long numbers follow one another: the unpacked size, the size, the position. Only those are there that are long.
      size: size === ELSEWHERE ? (longs[1] ?? 0) : size,
      header: header === ELSEWHERE ? (longs.at(-1) ?? 0) : header,
    });
    at = extra + extraLength + directory.getUint16(at + 32, true);
  }
  return entries;
}

/** The numbers of an entry that need 64 bits. They are in an extra field of their own. */
function longNumbers(directory: DataView, start: number, end: number): number[] {
  for (let at = start; at + 4 <= end; at += 4 + directory.getUint16(at + 2, true)) {
    if (directory.getUint16(at, true) !== LONG_FIELD) continue;
    const count = directory.getUint16(at + 2, true) / 8;
    return Array.from({ length: count }, (_, index) => long(directory, at + 4 + index * 8));
  }
  return [];
}

async function findDirectory(file: Blob): Promise<{ offset: number; length: number }> {
  const start = Math.max(0, file.size - END_LENGTH - COMMENT_MAX - LOCATOR_LENGTH);
  const tail = await viewOf(file.slice(start));
  let end = tail.byteLength - END_LENGTH;
  while (end >= 0 && tail.getUint32(end, true) !== END) end--;
  if (end < 0) throw new Error('not an archive');
  const [length, offset] = [tail.getUint32(end + 12, true), tail.getUint32(end + 16, true)];
  const isLong = length === ELSEWHERE || offset === ELSEWHERE;
  if (!isLong) return { offset, length };
  const longEnd = long(tail, end - LOCATOR_LENGTH + 8);
  const view = await viewOf(file.slice(longEnd, longEnd + LONG_END_LENGTH));
  return { length: long(view, 40), offset: long(view, 48) };
}

async function unpacked(file: Blob, { isPacked, size, header }: Entry): Promise<Blob> {
  const lengths = await viewOf(file.slice(header + 26, header + 30));
  const start = header + 30 + lengths.getUint16(0, true) + lengths.getUint16(2, true);
  const data = file.slice(start, start + size);
  if (!isPacked) return data;
  return new Response(data.stream().pipeThrough(new DecompressionStream('deflate-raw'))).blob();
}

async function viewOf(part: Blob): Promise<DataView<ArrayBuffer>> {
  return new DataView(await part.arrayBuffer());
}

function long(view: DataView, at: number): number {
  return Number(view.getBigUint64(at, true));
}
