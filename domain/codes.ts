import { type Checked, invalid, valid } from './field-errors.ts';
import { checkLine } from './items.ts';
import { inForm, normalText } from './text.ts';

export const CODE_MAX = 80;
export const BARCODES_MAX = 20;

export type Codes = { sku: string | null; barcodes: string[] };

/** Checks a stock-keeping unit: any short line of text, digits of any length included. Empty means none. */
export function checkSku(input: unknown): Checked<string | null> {
  if (input === null || (typeof input === 'string' && input.trim() === '')) return valid(null);
  return checkLine(input, CODE_MAX);
}

/**
 * Checks a code as scanned or typed. Digits in the length of an EAN or UPC must end with the right check digit, because
 * a wrong one is a typing error almost every time.
 */
export function checkBarcode(input: unknown): Checked<string> {
  const line = checkLine(isShort(input) ? readScan(input) : input, CODE_MAX);
  if (!line.ok || !HAS_CHECK_DIGIT.test(line.value) || gtinOf(line.value) !== null) return line;
  return invalid({ code: 'wrong_check_digit', digits: line.value, expected: checkDigit(line.value.slice(0, -1)) });
}

/** Whether it is a text in which a code can be looked for. `checkLine` refuses longer ones. */
function isShort(input: unknown): input is string {
  return typeof input === 'string' && input.length <= CODE_MAX * 4;
}

/** Checks the barcodes of an item. A code that is given twice counts once. */
export function checkBarcodes(input: unknown): Checked<string[]> {
  if (!Array.isArray(input)) return invalid({ code: 'wrong_type' });
  if (input.length > BARCODES_MAX) return invalid({ code: 'too_many', max: BARCODES_MAX });
  const byKey = new Map<string, string>();
  for (const one of input) {
    const code = checkBarcode(one);
    if (!code.ok) return code;
    const key = codeKey(code.value);
    if (!byKey.has(key)) byKey.set(key, code.value);
  }
  return valid([...byKey.values()]);
}

/**
 * The form in which codes are compared: equal keys mean the same code. A UPC, its EAN-13 and its 14 digits on a carton
 * have one key; in other codes, case and spaces do not matter.
 */
export function codeKey(text: string): string {
  const code = readScan(text)
    .toLowerCase()
    .replace(/[\s\p{Cf}]+/gu, '');
  return gtinOf(code) ?? code;
}

/** The keys of all codes of an item, in a fixed order. */
export function codeKeys({ sku, barcodes }: Codes): string[] {
  const codes = sku === null ? barcodes : [sku, ...barcodes];
  return [...new Set(codes.map(codeKey))].sort();
}

const HAS_CHECK_DIGIT = /^(?:\d{8}|\d{12,14})$/;
// A GS1 code contains several fields; the item's number is the one called 01. Scanners mark such a code in front, with
// three characters that name its kind or with the separator of its fields; decoders write the field's name in brackets.
const GS1 = /^(?:(?:\](?:C1|e0|d2|Q3|J1)|\x1d)+01|\(01\))(\d{14})/;

/** Returns the code in a scanned text: without the spaces that are printed between digits, and of a GS1 code the item. */
function readScan(text: string): string {
  const item = GS1.exec(text)?.[1];
  if (item !== undefined && gtinOf(item) !== null) return item;
  const line = normalText(inForm('NFKC', text));
  return /^[\d\s]+$/.test(line) ? line.replace(/\s+/g, '') : line;
}

/** Returns the 14 digits of the trade item number that an EAN or UPC stands for; null if the text is neither. */
function gtinOf(digits: string): string | null {
  if (!HAS_CHECK_DIGIT.test(digits)) return null;
  const upc = digits.length === 8 ? expandUpcE(digits) : digits;
  const number = [upc, digits].find((one) => one !== null && checkDigit(one.slice(0, -1)) === Number(one.at(-1)));
  return number?.padStart(14, '0') ?? null;
}

/** Returns the UPC that a short UPC-E leaves zeros out of; null for eight digits that cannot be one. */
function expandUpcE(digits: string): string | null {
  const [, system, maker, product, last, check] = /^([01])(\d{2})(\d{3})(\d)(\d)$/.exec(digits) ?? [];
  if (!system || !maker || !product || !last || !check) return null;
  const zeros =
    last <= '2'
      ? [maker, last, '0000', product]
      : last === '3'
        ? [maker, product.slice(0, 1), '00000', product.slice(1)]
        : last === '4'
          ? [maker, product.slice(0, 2), '00000', product.slice(2)]
          : [maker, product, '0000', last];
  return [system, ...zeros, check].join('');
}

/** Returns the 13 digits to print for an EAN-13 or a UPC, which is an EAN-13 without its leading zero; null for others. */
export function ean13Of(code: string): string | null {
  return /^\d{12,13}$/.test(code) && gtinOf(code) !== null ? code.padStart(13, '0') : null;
}

/** How many codes there are for use within a shop. */
export const IN_STORE_CODES = 10 ** 11;

/**
 * Returns the EAN-13 with this number among the codes for use within a shop. They begin with 2, which GS1 gives to no
 * maker, so none of them is on a bottle that somebody else has labelled.
 */
export function inStoreCode(number: number): string {
  return withCheckDigit(`2${String(number).padStart(11, '0')}`);
}

/** Completes an EAN or UPC. */
export function withCheckDigit(digits: string): string {
  return `${digits}${checkDigit(digits)}`;
}

/** The last digit of an EAN or UPC, computed from the digits before it (GS1, modulo 10). */
function checkDigit(digits: string): number {
  let sum = 0;
  for (let index = 0; index < digits.length; index++) sum += Number(digits.at(-1 - index)) * (index % 2 === 0 ? 3 : 1);
  return (10 - (sum % 10)) % 10;
}
