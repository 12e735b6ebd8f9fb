import { useCallback, useEffect, useSyncExternalStore } from 'react';
import { onLiveChange } from '../../live/live-items.ts';
import type { ListScope } from './list-filters.ts';
import { forget, nothing, parseSelection, type Selection, serializeSelection } from './selection.ts';
import { readSession, writeSession } from './session-memory.ts';

// One selection a scope and a person. It lives outside the page: it is there again when one comes back, and long work
// goes on unticking what is done after one has left.
const selections = new Map<string, Selection>();
const watchers = new Set<() => void>();

export type SelectionName = `selection ${ListScope} ${string}`;

export function selectionName(scope: ListScope, email: string): SelectionName {
  return `selection ${scope} ${email}`;
}

function readSelection(name: SelectionName): Selection {
  const known = selections.get(name);
  if (known) return known;
  const kept = parseSelection(readSession(name));
  selections.set(name, kept);
  return kept;
}

export function changeSelection(name: SelectionName, change: (now: Selection) => Selection): void {
  const before = readSelection(name);
  const next = change(before);
  if (next === before) return;
  selections.set(name, next);
  writeSession(name, serializeSelection(next));
  for (const watcher of watchers) watcher();
}

export function useSelection(name: SelectionName) {
  const selection = useSyncExternalStore(watch, () => readSelection(name));
  const change = useCallback((next: (now: Selection) => Selection) => changeSelection(name, next), [name]);
  // What somebody else deletes is no longer selectedState here.
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

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}
