import { useEffect } from 'react';
import { queryClient } from '../../api/query-client.ts';
import { onLiveChange } from '../../live/live-items.ts';
import { throttle } from '../../live/throttle.ts';

/** The minimum time between two refetches of the totals. */
const FIGURES_EVERY_MS = 2_000;
/** The minimum time between two refetches of the other insights. They cover long periods, cost more and change less. */
const OTHERS_EVERY_MS = 15_000;

/** Refetches the insights on screen when anybody changes anything in the warehouse. */
export function useLiveInsights(): void {
  useEffect(() => {
    const figures = throttle(FIGURES_EVERY_MS, () => refetchInsights(true));
    const rest = throttle(OTHERS_EVERY_MS, () => refetchInsights(false));
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
