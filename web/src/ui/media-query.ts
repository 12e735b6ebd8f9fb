import { useCallback, useSyncExternalStore } from 'react';

/** Whether the window fits a media query, now and when it changes. Only for what a style sheet cannot do alone. */
export function useMediaQuery(query: string): boolean {
  const watch = useCallback(
    (changed: () => void) => {
      const list = matchMedia(query);
      list.addEventListener('change', changed);
      return () => list.removeEventListener('change', changed);
    },
    [query],
  );
  return useSyncExternalStore(watch, () => matchMedia(query).matches);
}
