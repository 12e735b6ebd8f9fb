import type { putSettings, WireSettings } from '@perfume/contract/settings';
import { queryOptions } from '@tanstack/react-query';
import { call, type Input } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import { newIdempotencyKey, retryUntilAnswered } from '../../api/retry.ts';
import { refetchAfterSettings } from '../../live/item-cache.ts';

export const settingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: async ({ signal }): Promise<WireSettings> => {
    const { data } = await call('GET /settings', { signal });
    return data;
  },
});

type Change = NonNullable<Input<typeof putSettings>['body']>;

/** The queue of saves. They run one after the other, so that the later of two quick choices wins. */
let queue: Promise<unknown> = Promise.resolve();

/**
 * Saves a change of the settings, which is shown at once. If the server refuses, the settings are refetched and the
 * problem is thrown. Returns the id of the history entry of a new reorder point; null without one.
 */
export async function saveSettings(change: Change): Promise<string | null> {
  await queryClient.cancelQueries(settingsQuery);
  queryClient.setQueryData(settingsQuery.queryKey, (known) => known && merged(known, change));
  const headers = { 'idempotency-key': newIdempotencyKey() };
  const saving = queue.then(() =>
    retryUntilAnswered((signal) => call('PUT /settings', { body: change, headers, signal })),
  );
  queue = saving.catch(() => {});
  try {
    const { data } = await saving;
    if (change.alerts?.about) void queryClient.invalidateQueries({ queryKey: ['alerts'] });
    if (change.reorderPoint !== undefined) refetchAfterSettings();
    return data.entryId;
  } catch (problem) {
    void queryClient.invalidateQueries(settingsQuery);
    throw problem;
  }
}

function merged(known: WireSettings, change: Change): WireSettings {
  const { mail = known.alerts.mail, about = known.alerts.about } = change.alerts ?? {};
  return { reorderPoint: change.reorderPoint ?? known.reorderPoint, alerts: { mail, about } };
}
