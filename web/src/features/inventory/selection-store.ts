import { useCallback, useEffect, useSyncExternalStore } from 'react';
import { onLiveChange } from '../../live/live-items.ts';
import { readSession, writeSession } from '../../ui/session-memory.ts';
import type { ListScope } from './list-filters.ts';
import { forget, nothing, parseSelection, type Selection, serializeSelection } from './selection.ts';

// Each user has one selection per list. Selections live outside React, so that they survive leaving the page, and
// so that a running bulk action can keep deselecting the rows it has finished.
const selections = new Map<string, Selection>();
const listeners = new Set<() => void>();

export type SelectionName = `selection ${ListScope} ${string}`;

export function selectionName(scope: ListScope, userId: string): SelectionName {
  return `selection ${scope} ${userId}`;
}

function readSelection(name: SelectionName): Selection {
  const known = selections.get(name);
  if (known) return known;
  const stored = parseSelection(readSession(name));
  selections.set(name, stored);
  return stored;
}

export function changeSelection(name: SelectionName, change: (now: Selection) => Selection): void {
  const before = readSelection(name);
  const next = change(before);
  if (next === before) return;
  selections.set(name, next);
  writeSession(name, serializeSelection(next));
  for (const listener of listeners) listener();
}

export function useSelection(name: SelectionName) {
  const selection = useSyncExternalStore(subscribe, () => readSelection(name));
  const change = useCallback((next: (now: Selection) => Selection) => changeSelection(name, next), [name]);
  // Items that anybody deletes are deselected.
  useEffect(
    () =>
      onLiveChange(({ item, itemId }) => {
        if (item === null) change((now) => forget(now, [itemId]));
      }),
    [change],
  );
  const clear = useCallback(() => change(() => nothing), [change]);
  return { selection, change, clear };
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
