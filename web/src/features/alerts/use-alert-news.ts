import type { WireAlert } from '@perfume/contract/alerts';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { useBoot } from '../../api/boot.ts';
import { queryClient } from '../../api/query-client.ts';
import { onLiveChange } from '../../live/live-items.ts';
import { paths } from '../../paths.ts';
import { notify } from '../../ui/toast.ts';
import { useWords } from '../../words/words.tsx';
import { arrivals, crossingsHeard } from './alert-news.ts';
import { newestAlerts } from './alerts-query.ts';

/** Changes come in bursts: the first is followed soon, the rest at this pace. */
const SOON_MS = 250;
const PACE_MS = 2_000;
/** More than these at once would cover the page. */
const MOST_TOASTS = 3;

/** Keeps the alerts fresh, and says so when stock of one's own has fallen. */
export function useAlertNews(): void {
  useFreshAlerts();
  useToasts();
}

function useFreshAlerts(): void {
  const { user } = useBoot();
  const own = user?.email ?? '';
  useEffect(() => {
    const mayHaveCrossed = crossingsHeard();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let readAt = 0;
    const read = () => {
      timer = undefined;
      readAt = Date.now();
      void queryClient.invalidateQueries({ queryKey: newestAlerts.queryKey, exact: true });
    };
    const stop = onLiveChange((event) => {
      const about = queryClient.getQueryData(newestAlerts.queryKey)?.about;
      if (!mayHaveCrossed(event, about === 'all' ? 'all' : { own })) return;
      timer ??= setTimeout(read, Math.max(SOON_MS, readAt + PACE_MS - Date.now()));
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
  const [arrived] = useState(arrivals);
  useEffect(() => {
    if (!data) return;
    const fallen = arrived(data.alerts).filter(({ mine, kind }) => mine && kind !== 'recovered');
    const shown = fallen.slice(0, MOST_TOASTS);
    for (const alert of shown.toReversed()) tell(alert);
    const more = fallen.length - shown.length;
    if (more > 0) notify({ kind: 'info', id: 'alerts-more', text: say('alerts.toast.many', { count: more }) });

    function tell({ itemId, itemName: name, kind, quantity: count }: WireAlert): void {
      const text = kind === 'out' ? say('alerts.toast.out', { name }) : say('alerts.toast.low', { name, count });
      const view = { text: say('alerts.view'), run: () => void navigate(paths.item(itemId)) };
      const isThere = location.pathname === paths.item(itemId);
      notify({ kind: 'info', id: `alert-${itemId}`, text, ...(!isThere && { action: view }) });
    }
  }, [data, arrived, say, navigate]);
}
