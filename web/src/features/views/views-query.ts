import type { changeView, createView as create, WireView } from '@perfume/contract/views';
import { queryOptions } from '@tanstack/react-query';
import { call, type Input } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import { newIdempotencyKey, retryUntilAnswered } from '../../api/retry.ts';

/** The views that the person sees: their own, then those that others share. The change feed keeps them up to date. */
export const viewsQuery = queryOptions({
  queryKey: ['views'],
  queryFn: async ({ signal }): Promise<WireView[]> => (await call('GET /views', { signal })).data,
});

export type NewView = NonNullable<Input<typeof create>['body']>;
export type ViewChange = NonNullable<Input<typeof changeView>['body']>;

export async function createView(body: NewView): Promise<WireView> {
  const headers = { 'idempotency-key': newIdempotencyKey() };
  const { data } = await retryUntilAnswered((signal) => call('POST /views', { body, headers, signal }));
  await show((views) => [data, ...views]);
  return data;
}

/** Changes a view. One that was deleted is there again. */
export async function updateView(id: string, body: ViewChange): Promise<WireView> {
  const { data } = await retryUntilAnswered((signal) => call('PUT /views/:id', { params: { id }, body, signal }));
  await show((views) =>
    views.some((view) => view.id === id) ? views.map((view) => (view.id === id ? data : view)) : [data, ...views],
  );
  return data;
}

export async function deleteView(id: string): Promise<void> {
  await retryUntilAnswered((signal) => call('DELETE /views/:id', { params: { id }, signal }));
  await show((views) => views.filter((view) => view.id !== id));
}

/** Shows a change before the change feed reports it. An answer on its way may be older, so it is dropped. */
async function show(change: (views: WireView[]) => WireView[]): Promise<void> {
  await queryClient.cancelQueries(viewsQuery);
  queryClient.setQueryData(viewsQuery.queryKey, (views) => views && change(views));
}

/** Compares views by their names, as the language sorts them. */
export function byName(locale: string): (one: WireView, other: WireView) => number {
  const { compare } = new Intl.Collator(locale, { numeric: true });
  return (one, other) => compare(one.name, other.name);
}
