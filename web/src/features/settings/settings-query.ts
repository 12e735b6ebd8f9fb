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

/** One after the other, so that of two quick choices the later one stays. */
let underWay: Promise<unknown> = Promise.resolve();

/** Shown at once; when the server refuses, what it has is shown again and the problem is thrown. */
export async function saveSettings(change: Change): Promise<void> {
  await queryClient.cancelQueries(settingsQuery);
  queryClient.setQueryData(settingsQuery.queryKey, (known) => known && merged(known, change));
  const saving = underWay.then(() => retryUntilAnswered((signal) => call('PUT /settings', { body: change, signal })));
  underWay = saving.catch(() => {});
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
