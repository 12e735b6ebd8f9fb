import type { WireKey } from '@perfume/contract/api-keys';
import { queryOptions } from '@tanstack/react-query';
import { ApiProblem, call } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';

export const apiKeysQuery = queryOptions({
  queryKey: ['api-keys'],
  queryFn: async ({ signal }): Promise<WireKey[]> => {
    const { data } = await call('GET /api-keys', { signal });
    return data;
  },
  // The change feed does not report keys.
  staleTime: 0,
  refetchOnWindowFocus: true,
});

type NewKey = { name: string; scope: WireKey['scope']; expiresOn?: string };

/** Makes a key and returns it. It cannot be read again. */
export async function createApiKey(body: NewKey): Promise<string> {
  const { data } = await call('POST /api-keys', { body });
  void queryClient.invalidateQueries(apiKeysQuery);
  return data.key;
}

export async function revokeApiKey({ id }: WireKey): Promise<void> {
  try {
    await call('DELETE /api-keys/:id', { params: { id } });
  } catch (problem) {
    // It was revoked in another window.
    if (!(problem instanceof ApiProblem && problem.code === 'key_not_found')) throw problem;
  }
  await queryClient.cancelQueries(apiKeysQuery);
  queryClient.setQueryData(apiKeysQuery.queryKey, (known) => known?.filter((one) => one.id !== id));
  void queryClient.invalidateQueries(apiKeysQuery);
}
