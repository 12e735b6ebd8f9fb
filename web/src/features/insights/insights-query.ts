import type { ReplyOf } from '@perfume/contract/endpoint';
import type {
  readDeadStock,
  readFigures,
  readSellers,
  readSeries,
  readSuppliers,
  sellerOrders,
} from '@perfume/contract/insights';
import { type FromWireNames, fromWireNames } from '@perfume/contract/wire-item';
import type { Step } from '@perfume/domain/insights';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../api/client.ts';

export type Figures = ReplyOf<typeof readFigures>;
export type Series = ReplyOf<typeof readSeries>;
export type Sellers = FromWireNames<ReplyOf<typeof readSellers>>;
export type Seller = Sellers['items'][number];
export type Suppliers = FromWireNames<ReplyOf<typeof readSuppliers>>;
export type DeadStock = FromWireNames<ReplyOf<typeof readDeadStock>>;
export type SellerOrder = (typeof sellerOrders)[number];

/** What the figures cover: days such as "2026-01-31", both included, and one supplier, or '' for all of them. */
export type InsightsScope = { from: string; to: string; supplier: string };

/** Insights follow the change feed only while they are on screen, so they are refetched when shown again. */
const alwaysRefetch = { staleTime: 0 };
/** While the data for other filters loads, the previous data stays on screen. */
const keepShown = { ...alwaysRefetch, placeholderData: keepPreviousData };

export const figuresQuery = queryOptions({
  ...alwaysRefetch,
  queryKey: ['insights', 'figures'],
  queryFn: async ({ signal }): Promise<Figures> => (await call('GET /insights/figures', { signal })).data,
});

export function seriesQuery(scope: InsightsScope, step: Step) {
  return queryOptions({
    ...keepShown,
    queryKey: ['insights', 'series', scope, step],
    queryFn: async ({ signal }): Promise<Series> => {
      const query = { ...scopeParams(scope), step };
      return (await call('GET /insights/series', { query, signal })).data;
    },
  });
}

export function sellersQuery(scope: InsightsScope, order: SellerOrder, limit: number) {
  return queryOptions({
    ...keepShown,
    queryKey: ['insights', 'sellers', scope, order, limit],
    queryFn: async ({ signal }): Promise<Sellers> => {
      const query = { ...scopeParams(scope), order, limit: String(limit) };
      return fromWireNames((await call('GET /insights/sellers', { query, signal })).data);
    },
  });
}

export function suppliersQuery({ from, to }: InsightsScope, limit: number) {
  return queryOptions({
    ...keepShown,
    queryKey: ['insights', 'suppliers', from, to, limit],
    queryFn: async ({ signal }): Promise<Suppliers> => {
      const query = { from, to, limit: String(limit) };
      return fromWireNames((await call('GET /insights/suppliers', { query, signal })).data);
    },
  });
}

export function deadStockQuery(days: number, supplier: string, limit: number) {
  return queryOptions({
    ...keepShown,
    queryKey: ['insights', 'dead-stock', days, supplier, limit],
    queryFn: async ({ signal }): Promise<DeadStock> => {
      const query = { days: String(days), limit: String(limit), ...of(supplier) };
      return fromWireNames((await call('GET /insights/dead-stock', { query, signal })).data);
    },
  });
}

/** The most rows that the API returns per request. */
export const MAX_ROWS = 200;

/** The period and the supplier, as the API takes them. */
export function scopeParams({ from, to, supplier }: InsightsScope) {
  return { from, to, ...of(supplier) };
}

export function of(supplier: string): { supplier?: string } {
  return supplier === '' ? {} : { supplier };
}
