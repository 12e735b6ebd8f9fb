import { useState } from 'react';
import { useLocation, useNavigationType } from 'react-router';
import { readSession, writeSession } from './session-memory.ts';

/** Where somebody was in a list: the row at the top, parts of a row included, and how many rows there were. */
export type Place = { row: number; total: number | null };

const NAME = 'inventory-places';
/** One for each step of the history, and one for each filters; the oldest go first. */
const MOST = 80;
const top: Place = { row: 0, total: null };

export function keepPlace(entry: string, filters: string, place: Place): void {
  const kept = places();
  for (const name of [`${entry} ${filters}`, filters]) {
    kept.delete(name);
    kept.set(name, place);
  }
  writeSession(NAME, JSON.stringify([...kept].slice(-MOST)));
}

/** Where one was at this step of the history, else where one last was with this filters. */
export function keptPlace(entry: string, filters: string): Place | null {
  const kept = places();
  return kept.get(`${entry} ${filters}`) ?? kept.get(filters) ?? null;
}

function places(): Map<string, Place> {
  try {
    return new Map(JSON.parse(readSession(NAME) ?? '[]') as [string, Place][]);
  } catch {
    return new Map();
  }
}

/**
 * Where to begin: coming to the page, or going back or forth on it, where one was; a filters newly asked begins at
 * its first row.
 */
export function useStart(filters: string): Place & { entry: string } {
  const { key: entry } = useLocation();
  const how = useNavigationType();
  const [start, setStart] = useState(() => ({ filters, place: keptPlace(entry, filters) ?? top }));
  if (start.filters === filters) return { ...start.place, entry };
  const place = how === 'POP' ? (keptPlace(entry, filters) ?? top) : top;
  setStart({ filters, place });
  return { ...place, entry };
}
