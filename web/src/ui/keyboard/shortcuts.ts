import { useEffect, useEffectEvent, useSyncExternalStore } from 'react';
import { readPreference, savePreference } from '../preference.ts';
import { createStore } from '../store.ts';
import { needsMod, strokeOf, takeStroke } from './key-strokes.ts';

export type Shortcut = {
  keys: string;
  description: string;
  everywhere: boolean;
  inFields: boolean;
  countable: boolean;
  repeats: boolean;
  run: (count: number) => void;
};

type Options = {
  /** The shortcut works in the whole dashboard. The list of shortcuts shows it apart from those of the current page. */
  everywhere?: boolean;
  /** The shortcut also works in text fields. Use this only for keys that text fields do not use themselves. */
  inFields?: boolean;
  /** Digits typed before the key are passed to `run`, 1 if there are none. */
  countable?: boolean;
  /** The shortcut runs again and again while its key is held down. */
  repeats?: boolean;
  /** False: as if the component were not mounted. */
  enabled?: boolean;
};

/**
 * Adds a keyboard shortcut while the component is mounted. `keys` is "mod+k" (Ctrl, or ⌘ on a Mac), a character such as
 * "/", or a sequence such as "g h". Of two shortcuts with the same keys, the one mounted last runs. Shortcuts are off
 * in text fields, while other modifier keys are held, and while a dialog or menu is open.
 */
export function useShortcut(
  keys: string,
  description: string,
  run: (count: number) => void,
  options: Options = {},
): void {
  const { everywhere = false, inFields = false, countable = false, repeats = false, enabled = true } = options;
  const runLatest = useEffectEvent(run);
  useEffect(
    () =>
      enabled
        ? add({ keys, description, everywhere, inFields, countable, repeats, run: (count) => runLatest(count) })
        : undefined,
    [keys, description, everywhere, inFields, countable, repeats, enabled],
  );
}

/** Returns the shortcuts of all mounted components. */
export function useShortcuts(): readonly Shortcut[] {
  return shortcuts.use();
}

const SINGLE_KEYS = 'single-keys';

/** Whether single-key shortcuts are on, and a function to change that. WCAG 2.1.4 requires a way to turn them off. */
export function useSingleKeys(): [boolean, (on: boolean) => void] {
  return [useSyncExternalStore(shortcuts.subscribe, singleKeysAreOn), setSingleKeys];
}

export function isMac(): boolean {
  return /Mac|iPhone|iPad|iPod/.test(navigator.userAgent);
}

const shortcuts = createStore<readonly Shortcut[]>([]);

function add(shortcut: Shortcut): () => void {
  shortcuts.set([...shortcuts.get(), shortcut]);
  document.addEventListener('keydown', onKeyDown);
  return () => {
    shortcuts.set(shortcuts.get().filter((one) => one !== shortcut));
    if (shortcuts.get().length === 0) document.removeEventListener('keydown', onKeyDown);
  };
}

function singleKeysAreOn(): boolean {
  return readPreference(SINGLE_KEYS) !== 'off';
}

function setSingleKeys(on: boolean): void {
  savePreference(SINGLE_KEYS, on ? 'on' : 'off');
  // The store notifies its subscribers only when its value changes, so it gets a copy.
  shortcuts.set([...shortcuts.get()]);
}

/** How long a sequence waits for its next key. */
const SEQUENCE_MS = 1_500;
let pending = '';
let pressedAt = 0;

function onKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing || isModifier(event.key)) return;
  const stroke = strokeOf(event, isMac());
  if (event.repeat && !shortcuts.get().some(({ keys, repeats }) => repeats && keys === stroke)) return;
  const before = event.timeStamp - pressedAt < SEQUENCE_MS ? pending : '';
  pending = '';
  if (stroke === null || isOverlayOpen()) return;
  const typing = isTextField(event.target);
  const singleKeys = singleKeysAreOn();
  const available = shortcuts
    .get()
    .filter(({ keys, inFields }) => (singleKeys || needsMod(keys)) && (inFields || !typing));
  const step = takeStroke(
    before,
    stroke,
    available.map(({ keys }) => keys),
    available.filter(({ countable }) => countable).map(({ keys }) => keys),
  );
  pending = step.pending;
  pressedAt = event.timeStamp;
  const shortcut = available.findLast(({ keys }) => keys === step.found);
  if (!shortcut) return;
  event.preventDefault();
  shortcut.run(step.count ?? 1);
}

function isModifier(key: string): boolean {
  return key === 'Shift' || key === 'Control' || key === 'Alt' || key === 'Meta' || key === 'AltGraph';
}

/** Whether a dialog or menu is open. A dialog covers the page, and a menu uses letters to find its entries. */
export function isOverlayOpen(): boolean {
  return document.querySelector('[data-holds-page], [role="menu"]') !== null;
}

const NON_TEXT_TYPES = 'checkbox radio button submit reset file range color image'.split(' ');

export function isTextField(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return !NON_TEXT_TYPES.includes(target.type);
  return target instanceof HTMLElement && (target.isContentEditable || /^(?:TEXTAREA|SELECT)$/.test(target.tagName));
}
