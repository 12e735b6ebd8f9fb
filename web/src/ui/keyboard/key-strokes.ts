type Pressed = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

/**
 * What one press is called: "k", "?", "Escape", "mod+k", "mod+shift+z". `mod` is ⌘ on a Mac and Ctrl elsewhere. Null
 * when other keys are held with it, for that is somebody else's shortcut.
 */
export function strokeOf(pressed: Pressed, mac: boolean): string | null {
  const [mod, other] = mac ? [pressed.metaKey, pressed.ctrlKey] : [pressed.ctrlKey, pressed.metaKey];
  if (other || pressed.altKey) return null;
  const key = latinKey(pressed);
  if (mod) return `mod+${pressed.shiftKey ? 'shift+' : ''}${key}`;
  // Shift belongs to a sign such as "?", but makes another key of a letter.
  return pressed.shiftKey && /^[a-z]$/.test(key) ? null : key;
}

/** Keyboards of other scripts have our letters in the same places. */
function latinKey({ key, code, shiftKey }: Pressed): string {
  if (key.length > 1) return key;
  if (key.charCodeAt(0) < 128) return key.toLowerCase();
  if (code === 'Slash') return shiftKey ? '?' : '/';
  return /^Key([A-Z])$/.exec(code)?.[1]?.toLowerCase() ?? key;
}

/** One press more: the shortcut it completes, or what has been pressed so far of a longer one such as "g h". */
export function takeStroke(
  before: string,
  stroke: string,
  known: readonly string[],
): { found: string | null; pending: string } {
  const keys = before === '' ? stroke : `${before} ${stroke}`;
  if (known.includes(keys)) return { found: keys, pending: '' };
  if (known.some((one) => one.startsWith(`${keys} `))) return { found: null, pending: keys };
  return before === '' ? { found: null, pending: '' } : takeStroke('', stroke, known);
}

export function needsMod(keys: string): boolean {
  return keys.startsWith('mod+');
}

/** As it is written on the keys: one list for each press. */
export function keyLabels(keys: string, mac: boolean): string[][] {
  const names: Record<string, string> = mac ? { mod: '⌘', shift: '⇧' } : { mod: 'Ctrl', shift: 'Shift' };
  return keys.split(' ').map((stroke) => stroke.split('+').map((key) => names[key] ?? key.toUpperCase()));
}

/** For `aria-keyshortcuts`. */
export function ariaKeys(keys: string, mac: boolean): string {
  return keys.replace('mod', mac ? 'Meta' : 'Control').replace('shift', 'Shift');
}
