import { fromWireNames } from '@perfume/contract/wire-item';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/client.ts';

const MAX_SUGGESTIONS = '200';

/** Names of the suppliers with the most valuable stock. Fetched at most once in ten minutes. */
export const supplierNamesQuery = queryOptions({
  queryKey: ['supplier-names'],
  staleTime: 600_000,
  queryFn: async ({ signal }): Promise<string[]> => {
    const { data } = await call('GET /insights/suppliers', { query: { limit: MAX_SUGGESTIONS }, signal });
    return fromWireNames(data).suppliers.map(({ supplierName }) => supplierName);
  },
});
