import { ean13Of } from './codes.ts';
import type { Item } from './items.ts';

// Labels and the sheets they are printed on. All lengths are millimetres.

/** At most this many labels are printed at once: browsers take long to draw more. */
export const MAX_LABELS = 2_000;

export type Size = { width: number; height: number };

/** A sheet of labels. The labels have the same size, touch or have a gap between columns, and are centred on the page. */
export type Sheet = { page: Size; label: Size; columns: number; rows: number; gap: number };

const a4: Size = { width: 210, height: 297 };
const letter: Size = { width: 215.9, height: 279.4 };

/** The sheets on offer. A roll is a sheet with one label, so the printer cuts or stops after each. */
export const sheets = {
  'a4-70x37': { page: a4, label: { width: 70, height: 37 }, columns: 3, rows: 8, gap: 0 },
  'a4-48x25': { page: a4, label: { width: 48.5, height: 25.4 }, columns: 4, rows: 10, gap: 0 },
  'a4-38x21': { page: a4, label: { width: 38.1, height: 21.2 }, columns: 5, rows: 13, gap: 2.5 },
  'letter-67x25': { page: letter, label: { width: 66.675, height: 25.4 }, columns: 3, rows: 10, gap: 3.175 },
  'letter-102x51': { page: letter, label: { width: 101.6, height: 50.8 }, columns: 2, rows: 5, gap: 4.7625 },
  'roll-57x32': oneLabel({ width: 57, height: 32 }),
  'roll-62x29': oneLabel({ width: 62, height: 29 }),
} as const satisfies Record<string, Sheet>;

export type SheetName = keyof typeof sheets;

/** A label of one's own size is between these lengths. */
export const OWN_SIZE = { min: 15, max: 200 } as const;

/** Returns the sheet for single labels of one size: each is a page. */
export function oneLabel(label: Size): Sheet {
  return { page: label, label, columns: 1, rows: 1, gap: 0 };
}

export function labelsPerPage({ columns, rows }: Sheet): number {
  return columns * rows;
}

/** Where a label is on its page. `index` is its number among all labels. */
export type Place = { index: number; x: number; y: number };

/** Places labels row by row, the first one at position `first` of the first page, and returns the places of each page. */
export function placeLabels(sheet: Sheet, count: number, first = 0): Place[][] {
  const { page, label, columns, rows, gap } = sheet;
  const perPage = labelsPerPage(sheet);
  const left = (page.width - columns * label.width - (columns - 1) * gap) / 2;
  const top = (page.height - rows * label.height) / 2;
  const pages: Place[][] = [];
  for (let index = 0; index < count; index++) {
    const position = (first + index) % perPage;
    if (index === 0 || position === 0) pages.push([]);
    pages.at(-1)?.push({
      index,
      x: left + (position % columns) * (label.width + gap),
      y: top + Math.floor(position / columns) * label.height,
    });
  }
  return pages;
}

/** The code to print for an item: its first barcode, or else its SKU. */
export function labelCode({ sku, barcodes }: Pick<Item, 'sku' | 'barcodes'>): string | null {
  return barcodes[0] ?? sku;
}

export type SymbolKind = 'ean13' | 'code128' | 'qrcode';

/** The blank modules that each kind of symbol needs before and after it (GS1, ISO 15417, ISO 18004). */
export const quietZones = { ean13: [11, 7], code128: [10, 10], qrcode: [4, 4] } as const satisfies Record<
  SymbolKind,
  [before: number, after: number]
>;

/** The narrowest bar that office and label printers print well enough to be read. */
const MIN_MODULE = 0.25;
/** Wider bars than this need no more of the label. */
const MAX_MODULE = 0.5;
const MAX_QR = 30;
/** The part of the width that a QR code with texts beside it takes: they have room for the 13 digits of a code. */
const BESIDE = 0.42;
/** What is left blank along the edges: sheets shift in the printer. */
export const MARGIN = 1.5;

export type LabelLayout = {
  kind: SymbolKind;
  /** The width of the symbol, with its quiet zones. */
  width: number;
  /** Whether the texts are beside the symbol. Otherwise they are above and below it. */
  isBeside: boolean;
  /** Whether the symbol is large enough to be read. */
  isReadable: boolean;
};

/**
 * Chooses symbol and layout of a label. Where the bars of a code would be too narrow to be read, and for what Code 128
 * does not contain, it is a QR code, which takes less room.
 */
export function layOut(label: Size, code: string, wanted: 'barcode' | 'qr', hasText: boolean): LabelLayout {
  const kind = ean13Of(code) !== null ? 'ean13' : 'code128';
  const room = { width: label.width - 2 * MARGIN, height: label.height - 2 * MARGIN };
  const modules = modulesOf(kind, code);
  if (wanted === 'barcode' && isInCode128(code) && room.width / modules >= MIN_MODULE)
    return { kind, width: Math.min(room.width, modules * MAX_MODULE), isBeside: false, isReadable: true };
  const isBeside = hasText && label.width > label.height;
  const most = !hasText ? MAX_QR : isBeside ? room.width * BESIDE : room.height / 2;
  const width = Math.min(room.width, room.height, most, MAX_QR);
  return { kind: 'qrcode', width, isBeside, isReadable: width / modulesOf('qrcode', code) >= MIN_MODULE };
}

function isInCode128(code: string): boolean {
  return /^[\x20-\x7e]+$/.test(code);
}

/** How many bytes fit into a QR code of version 1, 2 and so on, with error correction M. */
const QR_BYTES = [14, 26, 42, 62, 84, 106, 122, 152, 180, 213, 251, 287, 331];

/** The modules across a symbol, with its quiet zones. A QR code may need fewer. */
export function modulesOf(kind: SymbolKind, code: string): number {
  const [before, after] = quietZones[kind];
  return before + symbolModules(kind, code) + after;
}

function symbolModules(kind: SymbolKind, code: string): number {
  if (kind === 'ean13') return 95;
  // The check character is added, and a last one of 13 modules.
  if (kind === 'code128') return 11 * (code128Characters(code) + 1) + 13;
  const bytes = new TextEncoder().encode(code).length;
  const version = 1 + QR_BYTES.findIndex((most) => bytes <= most);
  return 17 + 4 * version;
}

/**
 * How many characters a Code 128 needs, without the last two. Set B has a character for each letter, digit and sign, set
 * C one for two digits. Naming the first set and each change of the set takes one more.
 */
function code128Characters(code: string): number {
  // The fewest characters so far that end in set B or C, and the same one character of the code earlier.
  let [b, c] = [1, 1];
  let [earlierB, earlierC] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let at = 0; at < code.length; at++) {
    const isPair = /^\d\d$/.test(code.slice(Math.max(0, at - 1), at + 1));
    const nextB = 1 + Math.min(b, c + 1);
    const nextC = isPair ? 1 + Math.min(earlierC, earlierB + 1) : Number.POSITIVE_INFINITY;
    [earlierB, earlierC, b, c] = [b, c, nextB, nextC];
  }
  return Math.min(b, c);
}

/** The size of the texts on a label: what fits, and never too small to read. */
export function textSize({ height }: Size): number {
  return Math.min(4, Math.max(2, height * 0.09));
}

/** How many labels each item gets. */
export type Copies = number | 'onHand';

/** Returns the items in the order of their labels, each as often as it gets one, and how many that would be unbounded. */
export function repeatItems<T extends Pick<Item, 'quantity'>>(
  items: readonly T[],
  copies: Copies,
): { labels: T[]; total: number } {
  const labels: T[] = [];
  let total = 0;
  for (const item of items) {
    const wanted = copies === 'onHand' ? item.quantity : copies;
    total += wanted;
    for (let n = 0; n < wanted && labels.length < MAX_LABELS; n++) labels.push(item);
  }
  return { labels, total };
}
