import type { VirtualItem } from '@tanstack/react-virtual';
import { type RefObject, useEffect, useLayoutEffect, useState } from 'react';
import { useLocation } from 'react-router';

/** How far down the page the rows begin. Measured again whenever something above them may have moved them. */
export function useTop(body: RefObject<HTMLElement | null>): number | null {
  const [top, setTop] = useState<number | null>(null);
  useLayoutEffect(() => {
    const measure = () => {
      if (body.current) setTop(Math.round(body.current.getBoundingClientRect().top + window.scrollY));
    };
    measure();
    const watcher = new ResizeObserver(measure);
    for (const part of [document.body, body.current?.closest('main')]) if (part) watcher.observe(part);
    addEventListener('resize', measure);
    return () => {
      watcher.disconnect();
      removeEventListener('resize', measure);
    };
  }, [body]);
  return top;
}

type Place = { scrollY: number; sizes: VirtualItem[] };

/** Where one was, at each step of the browser's history. */
const places = new Map<string, Place>();
const MOST = 30;

export function usePlace(): { kept: Place | undefined; keep: (place: Place) => void } {
  const { key, pathname, search } = useLocation();
  const name = `${key} ${pathname}${search}`;
  return {
    kept: places.get(name),
    keep: (place) => {
      places.delete(name);
      places.set(name, place);
      for (const oldest of [...places.keys()].slice(0, -MOST)) places.delete(oldest);
    },
  };
}

/** Comes back to where one was, once there is something to come back to. */
export function useReturnTo(kept: Place | undefined, ready: boolean): void {
  const [start] = useState(kept);
  useLayoutEffect(() => {
    if (ready && start) window.scrollTo({ top: start.scrollY, behavior: 'instant' });
  }, [ready, start]);
  // The browser's own way back does not know yet how high the page will be.
  useEffect(() => {
    history.scrollRestoration = 'manual';
    return () => {
      history.scrollRestoration = 'auto';
    };
  }, []);
}
