import type { ReplyOf } from '@perfume/contract/endpoint';
import type { figuresAsOf } from '@perfume/contract/time-machine';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import type { Span } from './instant.ts';

export type Figures = Omit<ReplyOf<typeof figuresAsOf>, 'at'>;

/** When the ledger begins, and how far the server's clock is ahead of ours. */
export const spanQuery = queryOptions({
  queryKey: ['time machine', 'span'],
  queryFn: async ({ signal }): Promise<{ first: number | null; ahead: number }> => {
    const { data } = await call('GET /as-of/span', { signal });
    return { first: data.from === null ? null : Date.parse(data.from), ahead: Date.parse(data.to) - Date.now() };
  },
});

/**
 * Queries the figures at an instant in the past, which never go stale. While another instant loads, the previous
 * figures stay.
 */
export function figuresQuery(at: string) {
  return queryOptions({
    queryKey: ['time machine', 'figures', at],
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => readFigures(at, signal),
  });
}

const MINUTE = 60_000;

export const figuresNowQuery = queryOptions({
  queryKey: ['time machine', 'figures now'],
  // Always stale when first shown: the change feed invalidates these figures only while they are on screen.
  staleTime: 0,
  queryFn: async ({ signal }) => {
    const { ahead } = await queryClient.ensureQueryData(spanQuery);
    // Reads a minute ahead, so that a clock difference does not leave out the last movement.
    return readFigures(new Date(Date.now() + ahead + MINUTE).toISOString(), signal);
  },
});

async function readFigures(at: string, signal: AbortSignal): Promise<Figures> {
  const { data } = await call('GET /as-of/figures', { query: { at }, signal });
  return data;
}

/** The units moved in a period. */
export type Activity = { from: number; to: number; units: number };

const DAY = 24 * 60 * MINUTE;
/** The maximum number of points the server returns per request. */
const MAX_POINTS = 780;

/** Queries the units moved in the whole span, by day, or by week or month when there are too many days. */
export function activityQuery({ first, now }: Span) {
  const [from, to] = [dayText(first), dayText(now)];
  const days = (now - first) / DAY;
  const step = days < MAX_POINTS ? 'day' : days < 7 * MAX_POINTS ? 'week' : 'month';
  return queryOptions({
    queryKey: ['time machine', 'activity', from, to],
    queryFn: async ({ signal }): Promise<Activity[]> => {
      const query = { from, to, step } as const;
      const { data } = await call('GET /insights/series', { query, signal });
      return data.points.map((point) => ({
        from: Date.parse(point.from),
        to: Date.parse(point.to) + DAY,
        units: Math.abs(point.delivered) + Math.abs(point.restocked) + Math.abs(point.corrected),
      }));
    },
  });
}

function dayText(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
