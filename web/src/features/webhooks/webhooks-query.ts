import type { WireDelivery, WireWebhook } from '@perfume/contract/webhooks';
import type { WebhookEvent } from '@perfume/domain/webhooks';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { ApiProblem, call, nextCursor } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';

const WHILE_WAITING_MS = 1_000;
const OTHERWISE_MS = 15_000;
const DELIVERIES_PER_PAGE = 20;

// The change feed does not report webhooks, so both are read again from time to time.

export const webhooksQuery = queryOptions({
  queryKey: ['webhooks'],
  queryFn: async ({ signal }): Promise<WireWebhook[]> => (await call('GET /webhooks', { signal })).data,
  staleTime: 0,
  refetchInterval: ({ state: { data } }) =>
    data?.some(({ waiting }) => waiting > 0) ? WHILE_WAITING_MS : OTHERWISE_MS,
});

export type State = WireDelivery['state'];

export const deliveriesQuery = (id: string, state: State | null) =>
  infiniteQueryOptions({
    queryKey: ['webhooks', id, 'deliveries', state],
    queryFn: async ({ pageParam, signal }): Promise<{ deliveries: WireDelivery[]; next: string | null }> => {
      const query = {
        limit: String(DELIVERIES_PER_PAGE),
        ...(state !== null && { state }),
        ...(pageParam !== null && { cursor: pageParam }),
      };
      const { data, headers } = await call('GET /webhooks/:id/deliveries', { params: { id }, query, signal });
      return { deliveries: data, next: nextCursor(headers) };
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    staleTime: 0,
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some(({ deliveries }) => deliveries.some((one) => one.state === 'waiting'))
        ? WHILE_WAITING_MS
        : OTHERWISE_MS,
  });

/** Makes a webhook and returns its secret, which cannot be read again. */
export async function createWebhook(body: { url: string; events: WebhookEvent[] }): Promise<string> {
  const { data } = await call('POST /webhooks', { body });
  await refetch();
  return data.secret;
}

export async function changeWebhook(
  { id }: WireWebhook,
  body: { url?: string; events?: WebhookEvent[]; active?: boolean },
): Promise<void> {
  await call('PUT /webhooks/:id', { params: { id }, body });
  await refetch();
}

/** Replaces the secret and returns the new one, which cannot be read again. */
export async function replaceSecret({ id }: WireWebhook): Promise<string> {
  const { data } = await call('POST /webhooks/:id/secret', { params: { id } });
  await refetch();
  return data.secret;
}

export async function testWebhook({ id }: WireWebhook): Promise<void> {
  await call('POST /webhooks/:id/test', { params: { id } });
  await refetch();
}

export async function replayDelivery({ id }: WireWebhook, delivery: WireDelivery): Promise<void> {
  await call('POST /webhooks/:id/deliveries/:delivery/replay', { params: { id, delivery: delivery.id } });
  await refetch();
}

export async function deleteWebhook({ id }: WireWebhook): Promise<void> {
  try {
    await call('DELETE /webhooks/:id', { params: { id } });
  } catch (problem) {
    // It was deleted in another window.
    if (!(problem instanceof ApiProblem && problem.code === 'webhook_not_found')) throw problem;
  }
  queryClient.removeQueries({ queryKey: ['webhooks', id] });
  await refetch();
}

/** Reads the list and the deliveries on screen again. */
async function refetch(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: ['webhooks'] });
}
