import { useEffect } from 'react';
import { queryClient } from '../../api/query-client.ts';
import { onLiveChange } from '../../live/live-items.ts';

/** A change shows soon; in a busy hour the figures are read no more often than this. */
const SOON_MS = 400;
const FIGURES_EVERY_MS = 2_000;
/** Questions about a whole year are dearer, and move less. */
const REST_EVERY_MS = 15_000;

/** Reads again what is shown of the warehouse when anybody changes anything. */
export function useLiveInsights(): void {
  useEffect(() => {
    const figures = throttle(FIGURES_EVERY_MS, () => readAgain(true));
    const rest = throttle(REST_EVERY_MS, () => readAgain(false));
    const stop = onLiveChange(() => {
      figures.ask();
      rest.ask();
    });
    return () => {
      stop();
      figures.stop();
      rest.stop();
    };
  }, []);
}

function readAgain(figures: boolean): void {
  const predicate = ({ queryKey }: { queryKey: readonly unknown[] }) => (queryKey[1] === 'figures') === figures;
  void queryClient.invalidateQueries({ queryKey: ['insights'], predicate });
}

/** Runs soon after the first asking, then at most once in a while; never forgets the last asking. */
export function throttle(every: number, run: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let last = Number.NEGATIVE_INFINITY;
  return {
    ask(): void {
      timer ??= setTimeout(
        () => {
          timer = undefined;
          last = performance.now();
          run();
        },
        Math.max(SOON_MS, last + every - performance.now()),
      );
    },
    stop(): void {
      clearTimeout(timer);
    },
  };
}
