import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/client.ts';

const MOST_OFFERED = '200';

/** The suppliers with the most valuable stock, as their names are written. Asked for once in ten minutes at most. */
export const supplierNamesQuery = queryOptions({
  queryKey: ['supplier-names'],
  staleTime: 600_000,
  queryFn: async ({ signal }): Promise<string[]> => {
    const { data } = await call('GET /insights/suppliers', { query: { limit: MOST_OFFERED }, signal });
    return data.suppliers.map(({ suplierName }) => suplierName);
  },
});
