import { useState } from 'react';
import { useLocation, useNavigationType } from '../router.tsx';
import { readSession, writeSession } from '../session-memory.ts';

/**
 * The row at the top of the window, as a fraction if it is partly scrolled past, and the number of rows in the list.
 */
export type ScrollPosition = { row: number; total: number | null };

const NAME = 'scroll-positions';
/** How many positions are kept; the oldest are dropped. Each list uses one or two, so there is room for forty lists. */
const MAX_SAVED = 80;
const top: ScrollPosition = { row: 0, total: null };

export function saveScrollPosition(names: readonly string[], position: ScrollPosition): void {
  const saved = savedPositions();
  for (const name of names) {
    saved.delete(name);
    saved.set(name, position);
  }
  writeSession(NAME, JSON.stringify([...saved].slice(-MAX_SAVED)));
}

/** Returns the saved position of the first name that has one. */
export function savedScrollPosition(names: readonly string[]): ScrollPosition | null {
  const saved = savedPositions();
  return names.map((name) => saved.get(name)).find((position) => position !== undefined) ?? null;
}

function savedPositions(): Map<string, ScrollPosition> {
  try {
    return new Map(JSON.parse(readSession(NAME) ?? '[]') as [string, ScrollPosition][]);
  } catch {
    return new Map();
  }
}

/** The scroll position at which a list starts, and the names under which its later positions are saved. */
export type StartPosition = ScrollPosition & { list: string; names: readonly string[] };

/**
 * Returns the position at which a list starts. Going back or forward to a list restores the position it had at that
 * step of the browser history; new filters start at the top. With `resume`, a link to the list restores its last
 * position.
 */
export function useStartPosition(list: string, { resume }: { resume: boolean }): StartPosition {
  const { key: step } = useLocation();
  const how = useNavigationType();
  const names = resume ? [`${step} ${list}`, list] : [`${step} ${list}`];
  const [start, setStart] = useState(() => ({ list, position: savedScrollPosition(names) ?? top }));
  if (start.list === list) return { ...start.position, list, names };
  const position = how === 'POP' ? (savedScrollPosition(names) ?? top) : top;
  setStart({ list, position });
  return { ...position, list, names };
}
