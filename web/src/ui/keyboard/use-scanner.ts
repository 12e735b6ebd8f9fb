import { useEffect, useEffectEvent } from 'react';
import { addToBurst, follows, MAX_PAUSE_MS, type ScannedKey, scannedCode } from './scan-burst.ts';
import { isOverlayOpen, isTextField } from './shortcuts.ts';

/**
 * Calls `onCode` with each code that a hand scanner types while the component is mounted, wherever the focus is. In a
 * text field, the typed characters are removed again. While a dialog or menu is open, the scanner types into it.
 */
export function useScanner(onCode: (code: string) => void): void {
  const onCodeLatest = useEffectEvent(onCode);
  useEffect(() => listenForScans((code) => onCodeLatest(code)), []);
}

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

function listenForScans(onCode: (code: string) => void): () => void {
  let burst: readonly ScannedKey[] = [];
  /** The field that had the focus when the burst began, with its text. */
  let before: { field: Field; text: string } | null = null;
  let held: { event: KeyboardEvent; timer: ReturnType<typeof setTimeout> } | null = null;
  const released = new WeakSet<Event>();

  /** Lets the first key of a burst through when no other key follows: a person pressed it, maybe as a shortcut. */
  function hold(event: KeyboardEvent): void {
    event.stopImmediatePropagation();
    const timer = setTimeout(() => {
      held = null;
      const again = new KeyboardEvent('keydown', event);
      released.add(again);
      event.target?.dispatchEvent(again);
    }, MAX_PAUSE_MS);
    held = { event, timer };
  }

  function dropHeld(): void {
    if (held) clearTimeout(held.timer);
    held = null;
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (released.has(event) || event.repeat || event.isComposing || event.ctrlKey || event.metaKey || event.altKey)
      return;
    if (isOverlayOpen()) {
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
    const typing = isTextField(event.target);
    if (!isNext) before = isField(event.target) ? { field: event.target, text: event.target.value } : null;
    else dropHeld();
    if (typing) return;
    // A scanner must not scroll the page, press the focused button or run a shortcut.
    if (isNext) {
      event.preventDefault();
      event.stopImmediatePropagation();
    } else if (event.key !== ' ') hold(event);
  }

  function finish(event: KeyboardEvent): void {
    const code = scannedCode(burst, event);
    burst = [];
    if (code === null) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    dropHeld();
    if (before) setText(before.field, before.text);
    onCode(code);
  }

  addEventListener('keydown', onKeyDown, { capture: true });
  return () => {
    removeEventListener('keydown', onKeyDown, { capture: true });
    dropHeld();
  };
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
