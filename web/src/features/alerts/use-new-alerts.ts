import type { WireAlert } from '@perfume/contract/alerts';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useBoot } from '../../api/boot.ts';
import { queryClient } from '../../api/query-client.ts';
import { onLiveChange } from '../../live/live-items.ts';
import { paths } from '../../paths.ts';
import { useNavigate } from '../../ui/router.tsx';
import { notify } from '../../ui/toast.ts';
import { useWords } from '../../words/words.tsx';
import { newestAlerts } from './alerts-query.ts';
import { crossingDetector, newAlertDetector } from './new-alerts.ts';

/** Changes come in bursts. The alerts are refetched soon after the first change, then at most every two seconds. */
const FIRST_DELAY_MS = 250;
const THROTTLE_MS = 2_000;
/** The most toasts shown for one refetch: more would cover the page. */
const MAX_TOASTS = 3;

/** Keeps the alerts up to date, and shows a toast when an item of the user runs low. */
export function useNewAlerts(): void {
  useFreshAlerts();
  useToasts();
}

function useFreshAlerts(): void {
  const { user } = useBoot();
  const own = user?.email ?? '';
  useEffect(() => {
    const mayHaveCrossed = crossingDetector();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let refetchedAt = 0;
    const refetch = () => {
      timer = undefined;
      refetchedAt = Date.now();
      void queryClient.invalidateQueries({ queryKey: newestAlerts.queryKey, exact: true });
    };
    const stop = onLiveChange((event) => {
      const about = queryClient.getQueryData(newestAlerts.queryKey)?.about;
      if (!mayHaveCrossed(event, about === 'all' ? 'all' : { own })) return;
      timer ??= setTimeout(refetch, Math.max(FIRST_DELAY_MS, refetchedAt + THROTTLE_MS - Date.now()));
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [own]);
}

function useToasts(): void {
  const { say } = useWords();
  const navigate = useNavigate();
  const { data } = useQuery(newestAlerts);
  const [newAlertsIn] = useState(newAlertDetector);
  useEffect(() => {
    if (!data) return;
    const fallen = newAlertsIn(data.alerts).filter(({ mine, kind }) => mine && kind !== 'recovered');
    const shown = fallen.slice(0, MAX_TOASTS);
    for (const alert of shown.toReversed()) showToast(alert);
    const more = fallen.length - shown.length;
    if (more > 0) notify({ kind: 'info', id: 'alerts-more', text: say('alerts.toast.many', { count: more }) });

    function showToast({ itemId, itemName: name, kind, quantity: count }: WireAlert): void {
      const text = kind === 'out' ? say('alerts.toast.out', { name }) : say('alerts.toast.low', { name, count });
      const view = { text: say('alerts.view'), run: () => navigate(paths.item(itemId)) };
      const isThere = location.pathname === paths.item(itemId);
      notify({ kind: 'info', id: `alert-${itemId}`, text, ...(!isThere && { action: view }) });
    }
  }, [data, newAlertsIn, say, navigate]);
}
