import { isUuid } from '@perfume/domain/uuid';
import { queryOptions } from '@tanstack/react-query';
import { ApiProblem, call } from '../../api/client.ts';

/** Retry interval while the request fails. */
const RETRY_MS = 5_000;

/** Queries whether a missing item was deleted. If so, its id still has ledger entries, and the item can be restored. */
export function itemDeletedQuery(id: string) {
  return queryOptions({
    queryKey: ['was deleted', id],
    queryFn: ({ signal }) => hasLedger(id, signal),
    refetchInterval: ({ state }) => (state.status === 'error' ? RETRY_MS : false),
  });
}

async function hasLedger(id: string, signal: AbortSignal): Promise<boolean> {
  if (!isUuid(id)) return false;
  try {
    await call('GET /inventory-items/:id/movements', { params: { id }, query: { limit: '1' }, signal });
    return true;
  } catch (problem) {
    if (problem instanceof ApiProblem && problem.status === 404) return false;
    throw problem;
  }
}
