import { codeKey, codeKeys } from '@perfume/domain/codes';
import { type Importer, type ImportMode, planRow, type RowPlan, type RowValues } from '@perfume/domain/imports';
import type { Item } from '@perfume/domain/items';
import { isDerivedUuid } from '@perfume/domain/uuid';
import type { Queries } from '../db/core/statement.ts';
import { toItem } from '../items/item-row.ts';

/** `id`: the id that the file gives to a new item, if nothing has it yet. */
export type Planned = { plan: RowPlan; id: string | null };
export type Planning = { house: number; mode: ImportMode; importer: Importer };

/**
 * Decides what importing these rows does, with the items as they are now. A row is about the item with its id, or else
 * about the one with one of its codes.
 */
export async function planRows(
  db: Queries,
  { house, mode, importer }: Planning,
  rows: RowValues[],
): Promise<Planned[]> {
  const known = await findKnown(db, house, rows);
  const used = await usedIds(db, rows);
  return rows.map((values) => {
    const { item, plan } = known(values);
    const { id } = values;
    const isFree = id !== undefined && !used.has(id) && !isDerivedUuid(id);
    return { plan: plan ?? planRow(values, item, mode, importer), id: isFree ? id : null };
  });
}

type Known = { item: Item | null; plan?: RowPlan };

async function findKnown(db: Queries, house: number, rows: RowValues[]): Promise<(values: RowValues) => Known> {
  const byKey = await holdersByKey(db, house, rows);
  const holdersOf = (values: RowValues) =>
    codesOf(values).flatMap(({ field, code }) => {
      const holder = byKey.get(codeKey(code));
      return holder ? { field, code, holder } : [];
    });
  // A row may name the codes of many items, but is about one. Only that one is read with its texts, which may be long.
  const ids = rows.flatMap((values) => [values.id ?? [], holdersOf(values)[0]?.holder.id ?? []].flat());
  const byId = await itemsById(db, house, [...new Set(ids)]);
  return (values) => {
    const holders = holdersOf(values);
    const item = byId.get(values.id ?? '') ?? byId.get(holders[0]?.holder.id ?? '') ?? null;
    const other = holders.find(({ holder }) => holder.id !== item?.id);
    if (!other) return { item };
    const error = { code: 'code_taken', taken: other.code, name: other.holder.name } as const;
    return { item, plan: { kind: 'bad', problems: [{ field: other.field, error }] } };
  };
}

function codesOf({ sku, barcodes = [] }: RowValues) {
  const ofSku = sku === undefined ? [] : [{ field: 'sku' as const, code: sku }];
  return [...ofSku, ...barcodes.map((code) => ({ field: 'barcodes' as const, code }))];
}

async function itemsById(db: Queries, house: number, ids: string[]): Promise<Map<string, Item>> {
  if (ids.length === 0) return new Map();
  const found = await db
    .selectFrom('items')
    .selectAll()
    .where('house', '=', house)
    .where('deleted_at', 'is', null)
    .where('id', 'in', ids)
    .execute();
  return new Map(found.map((row) => [row.id, toItem(row)]));
}

async function holdersByKey(
  db: Queries,
  house: number,
  rows: RowValues[],
): Promise<Map<string, Pick<Item, 'id' | 'name'>>> {
  const keys = rows.flatMap(keysOf);
  if (keys.length === 0) return new Map();
  const found = await db
    .selectFrom('item_codes')
    .innerJoin('items', 'items.id', 'item_codes.item_id')
    .select(['items.id', 'items.name', 'code_key'])
    .where('item_codes.house', '=', house)
    .where('code_key', 'in', keys)
    .execute();
  return new Map(found.map(({ code_key, ...holder }) => [code_key, holder]));
}

/** Ids that something has already, in whatever house: the id of an item is also that of its first movement. */
async function usedIds(db: Queries, rows: RowValues[]): Promise<Set<string>> {
  const ids = rows.flatMap(({ id }) => id ?? []);
  if (ids.length === 0) return new Set();
  const found = await db
    .selectFrom('stock_movements')
    .select('id')
    .where('id', 'in', ids)
    .union(db.selectFrom('item_events').select('id').where('id', 'in', ids))
    .union(db.selectFrom('settings_events').select('id').where('id', 'in', ids))
    .execute();
  return new Set(found.map(({ id }) => id));
}

export function keysOf({ sku, barcodes = [] }: RowValues): string[] {
  return codeKeys({ sku: sku ?? null, barcodes });
}
