/** What a scan needs to know about a key press. */
export type ScannedKey = Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey' | 'timeStamp'>;

/**
 * A hand scanner pauses at most this long between two keys. A person who types four letters and Enter without a longer
 * pause would type 200 words a minute.
 */
export const MAX_PAUSE_MS = 60;
export const MIN_LENGTH = 4;
/** As long as the code of an item may be (`CODE_MAX`). */
const MAX_LENGTH = 80;

/** Adds a key to those pressed before it. A key after a pause begins a new burst. */
export function addToBurst(burst: readonly ScannedKey[], key: ScannedKey): readonly ScannedKey[] {
  return follows(burst, key) ? [...burst, key] : [key];
}

/** Whether a key was pressed so soon after the burst that the same scanner typed it. */
export function follows(burst: readonly ScannedKey[], { timeStamp }: ScannedKey): boolean {
  const last = burst.at(-1);
  return last !== undefined && timeStamp - last.timeStamp <= MAX_PAUSE_MS;
}

/**
 * Returns the code that a scanner typed before `end`, its Enter or Tab. Returns null when a person typed it, or a program
 * that types whole sentences: no code is that long.
 */
export function scannedCode(burst: readonly ScannedKey[], end: ScannedKey): string | null {
  const isCode = burst.length >= MIN_LENGTH && burst.length <= MAX_LENGTH && follows(burst, end);
  return isCode ? readCode(burst) : null;
}

/**
 * Reads the characters of a burst. Scanners press the keys of a US keyboard by default. If the device has another
 * layout, the characters come out wrong: Arabic letters, or `&é"'` for the digits of a French keyboard. No barcode
 * contains such text, so it is read again by the position of the keys.
 */
function readCode(burst: readonly ScannedKey[]): string {
  const typed = burst.map(({ key }) => key).join('');
  const isRight = /^[\x20-\x7e]+$/.test(typed) && /[a-z0-9]/i.test(typed);
  return (isRight ? typed : burst.map(usCharacter).join('')).trim();
}

/** The keys of a US keyboard that are neither letters nor digits: alone, and with Shift. */
const usSigns: Record<string, string> = {
  Minus: '-_',
  Equal: '=+',
  BracketLeft: '[{',
  BracketRight: ']}',
  Backslash: '\\|',
  Semicolon: ';:',
  Quote: `'"`,
  Backquote: '`~',
  Comma: ',<',
  Period: '.>',
  Slash: '/?',
  Space: '  ',
  NumpadDecimal: '..',
  NumpadSubtract: '--',
  NumpadAdd: '++',
  NumpadDivide: '//',
  NumpadMultiply: '**',
};
const SHIFTED_DIGITS = ')!@#$%^&*(';

function usCharacter({ key, code, shiftKey }: ScannedKey): string {
  const [, letter] = /^Key([A-Z])$/.exec(code) ?? [];
  if (letter !== undefined) return shiftKey ? letter : letter.toLowerCase();
  const [, row, digit] = /^(Digit|Numpad)(\d)$/.exec(code) ?? [];
  if (digit !== undefined) return row === 'Digit' && shiftKey ? SHIFTED_DIGITS.charAt(Number(digit)) : digit;
  return usSigns[code]?.charAt(shiftKey ? 1 : 0) ?? key;
}
