import { useState } from 'react';
import { useLocation, useNavigationType } from 'react-router';
import { readSession, writeSession } from './session-memory.ts';

/** The row at the top of the window, as a fraction, and how many rows the list had. */
export type ScrollPosition = { row: number; total: number | null };

const NAME = 'inventory-places';
/** Two per save: one for the step of the browser history, one for the list. The oldest are dropped. */
const MAX_SAVED = 80;
const top: ScrollPosition = { row: 0, total: null };

export function saveScrollPosition(entry: string, list: string, position: ScrollPosition): void {
  const saved = savedPositions();
  for (const name of [`${entry} ${list}`, list]) {
    saved.delete(name);
    saved.set(name, position);
  }
  writeSession(NAME, JSON.stringify([...saved].slice(-MAX_SAVED)));
}

/** The position at this step of the browser history, else the last position in this list. */
export function savedScrollPosition(entry: string, list: string): ScrollPosition | null {
  const saved = savedPositions();
  return saved.get(`${entry} ${list}`) ?? saved.get(list) ?? null;
}

function savedPositions(): Map<string, ScrollPosition> {
  try {
    return new Map(JSON.parse(readSession(NAME) ?? '[]') as [string, ScrollPosition][]);
  } catch {
    return new Map();
  }
}

/** Returning to the page, or going back or forward on it, resumes where you were; new filters start at the top. */
export function useStartPosition(list: string): ScrollPosition & { entry: string } {
  const { key: entry } = useLocation();
  const how = useNavigationType();
  const [start, setStart] = useState(() => ({ list, position: savedScrollPosition(entry, list) ?? top }));
  if (start.list === list) return { ...start.position, entry };
  const position = how === 'POP' ? (savedScrollPosition(entry, list) ?? top) : top;
  setStart({ list, position });
  return { ...position, entry };
}
