import type { WireAlert } from '@perfume/contract/alerts';
import { queryOptions } from '@tanstack/react-query';
import { call, nextCursor } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';

export type AlertPage = {
  alerts: WireAlert[];
  next: string | null;
  unseen: number;
  /** What to send when all of these have been seen. */
  upTo: string;
  about: 'mine' | 'all';
};

const PAGE = 20;

/** The newest alerts, and how many of all are not seen. The bell keeps it fresh. */
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
    query: { limit: String(PAGE), ...(cursor !== null && { cursor }) },
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

/** Everything that was read is seen: on screen at once, and for good when the server agrees. Throws when it does not. */
export async function seeAllAlerts(): Promise<void> {
  const before = queryClient.getQueryData(newestAlerts.queryKey);
  if (!before) return;
  await queryClient.cancelQueries({ queryKey: ['alerts'] });
  for (const [key, page] of queryClient.getQueriesData<AlertPage>({ queryKey: ['alerts'] })) {
    if (page) queryClient.setQueryData<AlertPage>(key, { ...page, unseen: 0, alerts: page.alerts.map(asSeen) });
  }
  try {
    await call('POST /alerts/seen', { body: { upTo: before.upTo } });
  } finally {
    // What came in meanwhile is not seen; and after a refusal nothing is.
    void queryClient.invalidateQueries({ queryKey: ['alerts'] });
  }
}

function asSeen(alert: WireAlert): WireAlert {
  return { ...alert, seen: true };
}
