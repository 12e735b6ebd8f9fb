type Pressed = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

/**
 * Returns the name of a key press: "k", "?", "Escape", "mod+k", "mod+shift+z". `mod` is ⌘ on a Mac and Ctrl elsewhere.
 * Returns null if another modifier is held, because such keys are shortcuts of the browser or the system.
 */
export function strokeOf(pressed: Pressed, mac: boolean): string | null {
  const [mod, other] = mac ? [pressed.metaKey, pressed.ctrlKey] : [pressed.ctrlKey, pressed.metaKey];
  if (other || pressed.altKey) return null;
  const key = latinKey(pressed);
  if (mod) return `mod+${pressed.shiftKey ? 'shift+' : ''}${key}`;
  // Shift with a letter is no shortcut. Shift with other characters is allowed, because typing "?" needs it.
  return pressed.shiftKey && /^[a-z]$/.test(key) ? null : key;
}

/** Returns the pressed key. On a keyboard of a non-Latin script, returns the Latin key at the same position. */
function latinKey({ key, code, shiftKey }: Pressed): string {
  if (key.length > 1) return key;
  if (key.charCodeAt(0) < 128) return key.toLowerCase();
  if (code === 'Slash') return shiftKey ? '?' : '/';
  return /^(?:Key([A-Z])|(?:Digit|Numpad)([0-9]))$/.exec(code)?.slice(1).join('').toLowerCase() ?? key;
}

const MAX_DIGITS = 4;

/**
 * Adds a key press to the keys pressed before. Returns the shortcut that is now complete, or the keys so far if they
 * are the start of a sequence such as "g h". Before a `countable` shortcut, digits are its `count`: "5" then "d".
 */
export function takeStroke(
  before: string,
  stroke: string,
  known: readonly string[],
  countable: readonly string[] = [],
): { found: string | null; pending: string; count?: number } {
  const isCount = /^[0-9]+$/.test(before);
  if ((before === '' || isCount) && /^[0-9]$/.test(stroke) && countable.length > 0) {
    return { found: null, pending: `${before}${stroke}`.slice(-MAX_DIGITS) };
  }
  if (isCount) {
    const step = takeStroke('', stroke, known);
    const isCounted = step.found !== null && countable.includes(step.found);
    return isCounted ? { ...step, count: Math.max(1, Number(before)) } : step;
  }
  const keys = before === '' ? stroke : `${before} ${stroke}`;
  if (known.includes(keys)) return { found: keys, pending: '' };
  if (known.some((one) => one.startsWith(`${keys} `))) return { found: null, pending: keys };
  return before === '' ? { found: null, pending: '' } : takeStroke('', stroke, known, countable);
}

export function needsMod(keys: string): boolean {
  return keys.startsWith('mod+');
}

/** Returns the labels of a shortcut's keys as on the user's keyboard: one list for each key press. */
export function keyLabels(keys: string, mac: boolean): string[][] {
  const names: Record<string, string> = mac ? { mod: '⌘', shift: '⇧' } : { mod: 'Ctrl', shift: 'Shift' };
  return keys.split(' ').map((stroke) => stroke.split('+').map((key) => names[key] ?? key.toUpperCase()));
}

/** Returns the value of the `aria-keyshortcuts` attribute for a shortcut. */
export function ariaKeys(keys: string, mac: boolean): string {
  return keys.replace('mod', mac ? 'Meta' : 'Control').replace('shift', 'Shift');
}
