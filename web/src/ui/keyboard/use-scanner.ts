import { useEffect, useEffectEvent } from 'react';
import { addToBurst, follows, MAX_PAUSE_MS, MIN_LENGTH, type ScannedKey, scannedCode } from './scan-burst.ts';
import { isOverlayOpen, isTextField } from './shortcuts.ts';

/**
 * Calls `onCode` with each code that a hand scanner types while the component is mounted, wherever the focus is. Of
 * several such components, only the one mounted last is called. In a text field, the typed characters are removed again.
 * While a dialog or menu is open, a scan does nothing: its digits are no answer to the dialog, and Enter would send them.
 * In a field for a password or one-time code, and while something marked with `data-takes-scans` is open, the scanner
 * types as a keyboard does.
 */
export function useScanner(onCode: (code: string) => void): void {
  const onCodeLatest = useEffectEvent(onCode);
  useEffect(() => addHandler((code) => onCodeLatest(code)), []);
}

/** Shorter than a pause between keys divided by the number of held keys, so that no later key overtakes these. */
const DRAWING_MS = 16;

type Handler = (code: string) => void;

let handlers: readonly Handler[] = [];
let stopListening = () => {};

function addHandler(handler: Handler): () => void {
  if (handlers.length === 0) stopListening = listenForScans((code) => handlers.at(-1)?.(code));
  handlers = [...handlers, handler];
  return () => {
    handlers = handlers.filter((one) => one !== handler);
    if (handlers.length === 0) stopListening();
  };
}

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

function listenForScans(onCode: Handler): () => void {
  let burst: readonly ScannedKey[] = [];
  /** The field that had the focus when the burst began, with its text. */
  let before: { field: Field; text: string } | null = null;
  let held: readonly KeyboardEvent[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const released = new WeakSet<Event>();

  /** Keeps a key from the page until it is clear who pressed it. */
  function hold(event: KeyboardEvent): void {
    event.preventDefault();
    event.stopImmediatePropagation();
    held = [...held, event];
    clearTimeout(timer);
    timer = setTimeout(release, MAX_PAUSE_MS);
  }

  /** Lets the page have the held keys. So few keys were pressed by a person, perhaps as a shortcut such as "g h". */
  function release(): void {
    const keys = held.length < MIN_LENGTH ? held : [];
    dropHeld();
    pressAgain(keys);
  }

  function pressAgain([event, ...rest]: readonly KeyboardEvent[]): void {
    if (!event) return;
    const again = new KeyboardEvent('keydown', event);
    released.add(again);
    // The element may be gone meanwhile, for example because the next page has appeared.
    const target = event.target instanceof Node && event.target.isConnected ? event.target : document.body;
    target.dispatchEvent(again);
    // The page draws what a key did before it gets the next one: after K, D delivers from another row.
    setTimeout(() => pressAgain(rest), DRAWING_MS);
  }

  function dropHeld(): void {
    clearTimeout(timer);
    held = [];
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (released.has(event) || event.repeat || event.isComposing || event.ctrlKey || event.metaKey || event.altKey)
      return;
    if (takesScans() || isSecretField(event.target)) {
      burst = [];
      return;
    }
    if (event.key === 'Enter' || event.key === 'Tab') finish(event);
    // One key of the Arabic keyboard types two letters.
    else if (event.key.length === 1 || event.key === 'لا') addKey(event);
  }

  function addKey(event: KeyboardEvent): void {
    const isNext = follows(burst, event);
    burst = addToBurst(burst, event);
    if (!isNext) before = isField(event.target) ? { field: event.target, text: event.target.value } : null;
    // A scanner must not scroll the page, press the focused button or run a shortcut. A person may press Space.
    if (!isTextField(event.target) && (isNext || event.key !== ' ')) hold(event);
  }

  function finish(event: KeyboardEvent): void {
    const code = scannedCode(burst, event);
    burst = [];
    if (code === null) {
      release();
      return;
    }
    event.preventDefault();
    event.stopImmediatePropagation();
    dropHeld();
    if (before) setText(before.field, before.text);
    if (!isOverlayOpen()) onCode(code);
  }

  addEventListener('keydown', onKeyDown, { capture: true });
  return () => {
    removeEventListener('keydown', onKeyDown, { capture: true });
    dropHeld();
  };
}

function takesScans(): boolean {
  return document.querySelector('[data-takes-scans]') !== null;
}

/** Whether a field takes a password, hidden or shown, or a one-time code. Password managers type as fast as scanners. */
function isSecretField(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLInputElement)) return false;
  return target.type === 'password' || /-password$|^one-time-code$/.test(target.autocomplete);
}

function isField(target: EventTarget | null): target is Field {
  return (
    target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement
  );
}

/** Sets the text of a field as if it had been typed, so that React notices. */
function setText(field: Field, text: string): void {
  if (field.value === text) return;
  // React replaces the setter on the element itself.
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, text);
  field.dispatchEvent(new Event('input', { bubbles: true }));
}
