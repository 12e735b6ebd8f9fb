import type { putSettings, WireSettings } from '@perfume/contract/settings';
import { queryOptions } from '@tanstack/react-query';
import { call, type Input } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import { retryUntilAnswered } from '../../api/retry.ts';
import { refetchLists } from '../../live/item-cache.ts';

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
 * problem is thrown.
 */
export async function saveSettings(change: Change): Promise<void> {
  await queryClient.cancelQueries(settingsQuery);
  queryClient.setQueryData(settingsQuery.queryKey, (known) => known && merged(known, change));
  const saving = queue.then(() => retryUntilAnswered((signal) => call('PUT /settings', { body: change, signal })));
  queue = saving.catch(() => {});
  try {
    await saving;
  } catch (problem) {
    void queryClient.invalidateQueries(settingsQuery);
    throw problem;
  }
  if (change.alerts?.about) void queryClient.invalidateQueries({ queryKey: ['alerts'] });
  if (change.reorderPoint !== undefined) {
    refetchLists();
    void queryClient.invalidateQueries({ queryKey: ['item'] });
  }
}

function merged(known: WireSettings, change: Change): WireSettings {
  const { mail = known.alerts.mail, about = known.alerts.about } = change.alerts ?? {};
  return { reorderPoint: change.reorderPoint ?? known.reorderPoint, alerts: { mail, about } };
}
