import { queryOptions } from '@tanstack/react-query';
import { ApiProblem, call } from '../../api/client.ts';

/** While it could not be answered, the question is asked again this often. */
const AGAIN_MS = 5_000;

/** Of an id without an item: whether it had one. What was deleted still has its ledger. */
export function itemDeletedQuery(id: string) {
  return queryOptions({
    queryKey: ['was deleted', id],
    queryFn: ({ signal }) => hasLedger(id, signal),
    refetchInterval: ({ state }) => (state.status === 'error' ? AGAIN_MS : false),
  });
}

async function hasLedger(id: string, signal: AbortSignal): Promise<boolean> {
  if (!/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) return false;
  try {
    await call('GET /inventory-items/:id/movements', { params: { id }, query: { limit: '1' }, signal });
    return true;
  } catch (problem) {
    if (problem instanceof ApiProblem && problem.status === 404) return false;
    throw problem;
  }
}
