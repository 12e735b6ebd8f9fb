import { useEffect } from 'react';
import { queryClient } from '../../api/query-client.ts';
import { onLiveChange } from '../../live/live-items.ts';

/** How soon a change shows, and the minimum time between refetches of the totals. */
const DELAY_MS = 400;
const FIGURES_EVERY_MS = 2_000;
/** Queries over long periods cost more and change less. */
const REST_EVERY_MS = 15_000;

/** Refetches the shown insights when anybody changes anything. */
export function useLiveInsights(): void {
  useEffect(() => {
    const figures = throttle(FIGURES_EVERY_MS, () => refetchInsights(true));
    const rest = throttle(REST_EVERY_MS, () => refetchInsights(false));
    const stop = onLiveChange(() => {
      figures.request();
      rest.request();
    });
    return () => {
      stop();
      figures.stop();
      rest.stop();
    };
  }, []);
}

function refetchInsights(figures: boolean): void {
  const predicate = ({ queryKey }: { queryKey: readonly unknown[] }) => (queryKey[1] === 'figures') === figures;
  void queryClient.invalidateQueries({ queryKey: ['insights'], predicate });
}

/** Runs soon after the first request, then at most once per `every`; the last request is never lost. */
export function throttle(every: number, run: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let last = Number.NEGATIVE_INFINITY;
  return {
    request(): void {
      timer ??= setTimeout(
        () => {
          timer = undefined;
          last = performance.now();
          run();
        },
        Math.max(DELAY_MS, last + every - performance.now()),
      );
    },
    stop(): void {
      clearTimeout(timer);
    },
  };
}
