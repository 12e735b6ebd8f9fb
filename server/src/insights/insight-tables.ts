import type { ReplyOf } from '@perfume/contract/endpoint';
import type { readDeadStock, readSellers, readSeries, readSuppliers } from '@perfume/contract/insights';
import { fromWireNames } from '@perfume/contract/wire-item';
import type { Cell } from '@perfume/domain/csv';
import { priceText } from '@perfume/domain/money';
import type { Table } from '../transfer/table-file.ts';

const money = (cents: number): Cell => ({ plain: priceText(cents) });

/** A table whose columns are given by their names and what they show of a row. Lines of JSON have the whole row. */
function tableOf<Row extends object>(
  name: string,
  rows: Row[],
  columns: Record<string, (row: ReturnType<typeof fromWireNames<Row>>) => Cell | null>,
): Table<Row> {
  return {
    name,
    head: Object.keys(columns),
    pages: inOnePage(rows),
    toCells: (row) => {
      const own = fromWireNames(row);
      return Object.values(columns).map((cellOf) => cellOf(own) ?? '');
    },
    toJson: (row) => row,
  };
}

async function* inOnePage<Row>(rows: Row[]): AsyncGenerator<Row[]> {
  yield rows;
}

export const seriesTable = ({ from, to, step, points }: ReplyOf<typeof readSeries>) =>
  tableOf(`stock-by-${step}-${from}-${to}`, points, {
    from: (point) => point.from,
    to: (point) => point.to,
    'units on hand': (point) => point.unitsOnHand,
    'stock value': (point) => money(point.valueCents),
    delivered: (point) => point.delivered,
    restocked: (point) => point.restocked,
    corrected: (point) => point.corrected,
    other: (point) => point.other,
  });

export const sellersTable = ({ from, to, items }: ReplyOf<typeof readSellers>, order: string) =>
  tableOf(`${order}-sellers-${from}-${to}`, items, {
    name: (item) => item.name,
    supplier: (item) => item.supplierName,
    delivered: (item) => item.delivered,
    days: (item) => item.days,
    'per day': (item) => ({ plain: item.perDay.toFixed(4) }),
    'on hand': (item) => item.onHand,
    'days left': (item) => item.daysLeft,
    id: (item) => item.id,
  });

export const suppliersTable = ({ from, to, suppliers }: ReplyOf<typeof readSuppliers>) =>
  tableOf(`suppliers-${from}-${to}`, suppliers, {
    supplier: (line) => line.supplierName,
    items: (line) => line.items,
    'units on hand': (line) => line.unitsOnHand,
    'stock value': (line) => money(line.valueCents),
    delivered: (line) => line.delivered,
  });

export const deadStockTable = ({ days, items }: ReplyOf<typeof readDeadStock>) =>
  tableOf(`dead-stock-${days}-days`, items, {
    name: (item) => item.name,
    supplier: (item) => item.supplierName,
    'on hand': (item) => item.onHand,
    'stock value': (item) => money(item.valueCents),
    'last delivered': (item) => item.lastDelivered,
    'idle days': (item) => item.idleDays,
    id: (item) => item.id,
  });
