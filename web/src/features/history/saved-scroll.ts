import type { VirtualItem } from '@tanstack/react-virtual';
import { useLayoutEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { useManualScrollRestoration } from '../../ui/windowed-table/table-geometry.ts';

/** Row heights differ, so they are saved with the position: without them it would show other rows. */
type SavedScroll = { scrollY: number; heights: VirtualItem[] };

/** By step of the browser history. */
const savedScrolls = new Map<string, SavedScroll>();
const MAX_SAVED = 30;

/** What was saved at this step of the browser history when the page opened, and how to save it on leaving. */
export function useSavedScroll() {
  const { key, pathname, search } = useLocation();
  const step = `${key} ${pathname}${search}`;
  const [saved] = useState(() => savedScrolls.get(step));
  const save = (scroll: SavedScroll) => {
    savedScrolls.delete(step);
    savedScrolls.set(step, scroll);
    for (const oldest of [...savedScrolls.keys()].slice(0, -MAX_SAVED)) savedScrolls.delete(oldest);
  };
  return { saved, save };
}

/** Call it after the rows are set up: it scrolls to where they are. */
export function useRestoredScroll(saved: SavedScroll | undefined, ready: boolean): void {
  useLayoutEffect(() => {
    if (ready && saved) window.scrollTo({ top: saved.scrollY, behavior: 'instant' });
  }, [ready, saved]);
  useManualScrollRestoration();
}
