import type { ReplyOf } from '@perfume/contract/endpoint';
import type { readDeadStock, readSellers, readSeries, readSuppliers } from '@perfume/contract/insights';
import { fromWireNames } from '@perfume/contract/wire-item';
import type { Cell } from '@perfume/domain/csv';
import { priceText } from '@perfume/domain/money';
import type { Table } from '../transfer/table-file.ts';

const money = (cents: number): Cell => ({ plain: priceText(cents) });

type Pages<Row> = Iterable<Row[]> | AsyncIterable<Row[]>;
type Period = { from: string; to: string };

/** A table whose columns are given by their names and what they show of a row. Lines of JSON have the whole row. */
function tableOf<Row extends object>(
  name: string,
  pages: Pages<Row>,
  columns: Record<string, (row: ReturnType<typeof fromWireNames<Row>>) => Cell | null>,
): Table<Row> {
  return {
    name,
    head: Object.keys(columns),
    pages,
    toCells: (row) => {
      const own = fromWireNames(row);
      return Object.values(columns).map((cellOf) => cellOf(own) ?? '');
    },
    toJson: (row) => row,
  };
}

type Point = ReplyOf<typeof readSeries>['points'][number];
export const seriesTable = ({ from, to, step }: Period & { step: string }, pages: Pages<Point>) =>
  tableOf(`stock-by-${step}-${from}-${to}`, pages, {
    from: (point) => point.from,
    to: (point) => point.to,
    'units on hand': (point) => point.unitsOnHand,
    'stock value': (point) => money(point.valueCents),
    delivered: (point) => point.delivered,
    restocked: (point) => point.restocked,
    corrected: (point) => point.corrected,
    other: (point) => point.other,
  });

type Seller = ReplyOf<typeof readSellers>['items'][number];
export const sellersTable = ({ from, to, order }: Period & { order: string }, pages: Pages<Seller>) =>
  tableOf(`${order}-sellers-${from}-${to}`, pages, {
    name: (item) => item.name,
    supplier: (item) => item.supplierName,
    delivered: (item) => item.delivered,
    days: (item) => item.days,
    'per day': (item) => ({ plain: item.perDay.toFixed(4) }),
    'on hand': (item) => item.onHand,
    'days left': (item) => item.daysLeft,
    id: (item) => item.id,
  });

type Supplier = ReplyOf<typeof readSuppliers>['suppliers'][number];
export const suppliersTable = ({ from, to }: Period, pages: Pages<Supplier>) =>
  tableOf(`suppliers-${from}-${to}`, pages, {
    supplier: (line) => line.supplierName,
    items: (line) => line.items,
    'units on hand': (line) => line.unitsOnHand,
    'stock value': (line) => money(line.valueCents),
    delivered: (line) => line.delivered,
  });

type DeadItem = ReplyOf<typeof readDeadStock>['items'][number];
export const deadStockTable = (days: number, pages: Pages<DeadItem>) =>
  tableOf(`dead-stock-${days}-days`, pages, {
    name: (item) => item.name,
    supplier: (item) => item.supplierName,
    'on hand': (item) => item.onHand,
    'stock value': (item) => money(item.valueCents),
    'last delivered': (item) => item.lastDelivered,
    'idle days': (item) => item.idleDays,
    id: (item) => item.id,
  });
