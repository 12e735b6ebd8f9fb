import type { WireAlert } from '@perfume/contract/alerts';
import { queryOptions } from '@tanstack/react-query';
import { call, nextCursor } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';

export type AlertPage = {
  alerts: WireAlert[];
  next: string | null;
  unseen: number;
  /** The value that `POST /alerts/seen` needs to mark all alerts as seen. */
  upTo: string;
  about: 'mine' | 'all';
};

const PAGE_SIZE = 20;

/** The query for the newest alerts and the number of unseen ones. The bell keeps the result up to date. */
export const newestAlerts = queryOptions({
  queryKey: ['alerts'],
  queryFn: ({ signal }) => fetchPage(null, signal),
});

export function earlierAlerts(cursor: string) {
  return queryOptions({
    queryKey: ['alerts', 'earlier', cursor],
    queryFn: ({ signal }) => fetchPage(cursor, signal),
  });
}

async function fetchPage(cursor: string | null, signal: AbortSignal): Promise<AlertPage> {
  const { data, headers } = await call('GET /alerts', {
    query: { limit: String(PAGE_SIZE), ...(cursor !== null && { cursor }) },
    signal,
  });
  return {
    alerts: data,
    next: nextCursor(headers),
    unseen: Number(headers.get('x-unseen-count') ?? 0),
    upTo: headers.get('x-alerts-up-to') ?? '0-0',
    about: headers.get('x-alerts-about') === 'all' ? 'all' : 'mine',
  };
}

/** Marks all alerts as seen, first on screen and then on the server. Throws when the server refuses. */
export async function markAllAlertsSeen(): Promise<void> {
  const before = queryClient.getQueryData(newestAlerts.queryKey);
  if (!before) return;
  await queryClient.cancelQueries({ queryKey: ['alerts'] });
  for (const [key, page] of queryClient.getQueriesData<AlertPage>({ queryKey: ['alerts'] })) {
    if (page) queryClient.setQueryData<AlertPage>(key, { ...page, unseen: 0, alerts: page.alerts.map(asSeen) });
  }
  try {
    await call('POST /alerts/seen', { body: { upTo: before.upTo } });
  } finally {
    // New alerts may have arrived meanwhile, and if the server refused the request, none is marked as seen.
    void queryClient.invalidateQueries({ queryKey: ['alerts'] });
  }
}

function asSeen(alert: WireAlert): WireAlert {
  return { ...alert, seen: true };
}
