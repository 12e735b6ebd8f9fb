import { useEffect, useEffectEvent, useSyncExternalStore } from 'react';
import { readPreference, savePreference } from '../preference.ts';
import { needsMod, strokeOf, takeStroke } from './key-strokes.ts';

export type Shortcut = {
  keys: string;
  description: string;
  everywhere: boolean;
  inFields: boolean;
  run: () => void;
};

type Options = {
  /** Of the frame, not of the page it is used on: the help sheet lists it apart. */
  everywhere?: boolean;
  /** Also while somebody types in a field. Only for what no field has a use for itself. */
  inFields?: boolean;
};

/**
 * A shortcut while the component is on screen. `keys`: "mod+k" (Ctrl, or ⌘ on a Mac), a sign such as "/", or one after
 * the other as in "g h". Of two with the same keys, the one that came last is run. None is run while somebody types in
 * a field, while other keys are held, or while a dialog or menu is open.
 */
export function useShortcut(keys: string, description: string, run: () => void, options: Options = {}): void {
  const { everywhere = false, inFields = false } = options;
  const runLatest = useEffectEvent(run);
  useEffect(
    () => add({ keys, description, everywhere, inFields, run: () => runLatest() }),
    [keys, description, everywhere, inFields],
  );
}

/** What can be pressed now. */
export function useShortcuts(): readonly Shortcut[] {
  return useSyncExternalStore(watch, () => shortcuts);
}

const SINGLE_KEYS = 'single-keys';

/** Whether keys pressed alone are listened to. Some people must be able to turn that off (WCAG 2.1.4). */
export function useSingleKeys(): [boolean, (on: boolean) => void] {
  return [useSyncExternalStore(watch, singleKeysAreOn), setSingleKeys];
}

export function isMac(): boolean {
  return /Mac|iPhone|iPad|iPod/.test(navigator.userAgent);
}

let shortcuts: readonly Shortcut[] = [];
const watchers = new Set<() => void>();

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

function tell(): void {
  for (const watcher of watchers) watcher();
}

function add(shortcut: Shortcut): () => void {
  shortcuts = [...shortcuts, shortcut];
  document.addEventListener('keydown', hear);
  tell();
  return () => {
    shortcuts = shortcuts.filter((one) => one !== shortcut);
    if (shortcuts.length === 0) document.removeEventListener('keydown', hear);
    tell();
  };
}

function singleKeysAreOn(): boolean {
  return readPreference(SINGLE_KEYS) !== 'off';
}

function setSingleKeys(on: boolean): void {
  savePreference(SINGLE_KEYS, on ? 'on' : 'off');
  tell();
}

/** How long "g" waits for what follows. */
const PATIENCE_MS = 1_500;
let pending = '';
let pressedAt = 0;

function hear(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing || event.repeat || isHeldKey(event.key)) return;
  const stroke = strokeOf(event, isMac());
  const before = event.timeStamp - pressedAt < PATIENCE_MS ? pending : '';
  pending = '';
  if (stroke === null || somethingIsOpen()) return;
  const typing = isField(event.target);
  const singleKeys = singleKeysAreOn();
  const open = shortcuts.filter(({ keys, inFields }) => (singleKeys || needsMod(keys)) && (inFields || !typing));
  const step = takeStroke(
    before,
    stroke,
    open.map(({ keys }) => keys),
  );
  pending = step.pending;
  pressedAt = event.timeStamp;
  const shortcut = open.findLast(({ keys }) => keys === step.found);
  if (!shortcut) return;
  event.preventDefault();
  shortcut.run();
}

function isHeldKey(key: string): boolean {
  return key === 'Shift' || key === 'Control' || key === 'Alt' || key === 'Meta' || key === 'AltGraph';
}

/** A dialog holds the page; a menu takes letters to find its entries. */
function somethingIsOpen(): boolean {
  return document.querySelector('[data-holds-page], [role="menu"]') !== null;
}

const WITHOUT_TEXT = 'checkbox radio button submit reset file range color image'.split(' ');

function isField(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return !WITHOUT_TEXT.includes(target.type);
  return target instanceof HTMLElement && (target.isContentEditable || /^(?:TEXTAREA|SELECT)$/.test(target.tagName));
}
