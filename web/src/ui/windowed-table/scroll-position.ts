import { useState } from 'react';
import { useLocation, useNavigationType } from 'react-router';
import { readSession, writeSession } from '../session-memory.ts';

/** The row at the top of the window, as a fraction, and how many rows the list had. */
export type ScrollPosition = { row: number; total: number | null };

const NAME = 'scroll-positions';
/** At most two per save. The oldest are dropped. */
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

/** The position under the first name that has one. */
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

/** Where a list starts, and the names under which its position is saved. */
export type StartPosition = ScrollPosition & { list: string; names: readonly string[] };

/**
 * Going back or forward to a list resumes where you were at that step of the browser history; new filters start at the
 * top. With `resume`, a link to the list resumes too, at its last position.
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
