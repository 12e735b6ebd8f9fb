import { csvLine, UTF8_BOM } from '@perfume/domain/csv';
import { priceText } from '@perfume/domain/money';
import { download } from '../../ui/download.ts';
import type { DeadStock, Sellers, Series, Suppliers } from './insights-query.ts';

/** A CSV file: its name without the extension, and its text. */
export type InsightCsv = { name: string; text: string };

/** Cents as a plain decimal number. */
const money = (cents: number) => ({ plain: priceText(cents) });

export function seriesFile({ from, to, step, points }: Series): InsightCsv {
  const head = ['from', 'to', 'units on hand', 'stock value', 'delivered', 'restocked', 'corrected', 'other'];
  const lines = points.map((point) => [
    point.from,
    point.to,
    point.unitsOnHand,
    money(point.valueCents),
    point.delivered,
    point.restocked,
    point.corrected,
    point.other,
  ]);
  return { name: `stock-by-${step}-${from}-${to}`, text: fileOf([head, ...lines]) };
}

export function sellersFile({ from, to, items }: Sellers, order: string): InsightCsv {
  const head = ['name', 'supplier', 'delivered', 'days', 'per day', 'on hand', 'days left', 'id'];
  const lines = items.map((item) => [
    item.name,
    item.supplierName,
    item.delivered,
    item.days,
    { plain: item.perDay.toFixed(4) },
    item.onHand,
    item.daysLeft ?? '',
    item.id,
  ]);
  return { name: `${order}-sellers-${from}-${to}`, text: fileOf([head, ...lines]) };
}

export function suppliersFile({ from, to, suppliers }: Suppliers): InsightCsv {
  const head = ['supplier', 'items', 'units on hand', 'stock value', 'delivered'];
  const lines = suppliers.map((line) => [
    line.supplierName,
    line.items,
    line.unitsOnHand,
    money(line.valueCents),
    line.delivered,
  ]);
  return { name: `suppliers-${from}-${to}`, text: fileOf([head, ...lines]) };
}

export function deadStockFile({ days, items }: DeadStock): InsightCsv {
  const head = ['name', 'supplier', 'on hand', 'stock value', 'last delivered', 'idle days', 'id'];
  const lines = items.map((item) => [
    item.name,
    item.supplierName,
    item.onHand,
    money(item.valueCents),
    item.lastDelivered ?? '',
    item.idleDays,
    item.id,
  ]);
  return { name: `dead-stock-${days}-days`, text: fileOf([head, ...lines]) };
}

function fileOf(lines: Parameters<typeof csvLine>[0][]): string {
  return UTF8_BOM + lines.map(csvLine).join('');
}

export function downloadCsv({ name, text }: InsightCsv): void {
  download(new Blob([text], { type: 'text/csv;charset=utf-8' }), `${name}.csv`);
}
