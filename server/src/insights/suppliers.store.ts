import { centsOf } from '@perfume/domain/money';
import type { Db } from '../db/core/database.ts';
import { byWorth, WORTH, WORTH_E9 } from './facts.ts';
import { isRow, pageSql, type RankedPage } from './ranked-items.ts';
import { asBigint, type Sold, soldOf } from './sold.ts';
import { querySums } from './sums.store.ts';

export type Supplier = { name: string; items: number; units: number; valueCents: number; delivered: number };
export type Suppliers = { suppliers: Supplier[]; total: Omit<Supplier, 'name'> & { suppliers: number } };
export type SuppliersQuery = { from: number; to: number } & RankedPage;

/** Suppliers by the value of their stock. Units delivered include those of items that are deleted now. */
export async function readSuppliers(db: Db, house: number, now: number, query: SuppliersQuery): Promise<Suppliers> {
  const { from, to, limit } = query;
  const sql = { text: suppliers(soldOf(db.dialect), pageSql('$5', query)), params: [from, to, limit], order: 'place' };
  const rows = (await querySums<SupplierRow>(db, house, now, sql, true)).filter(isRow);
  const [first] = rows;
  return {
    suppliers: rows.map((row) => ({
      name: row.name,
      items: row.items,
      units: row.units,
      valueCents: centsOf(row),
      delivered: row.delivered,
    })),
    total: {
      suppliers: first?.all_suppliers ?? 0,
      items: first?.all_items ?? 0,
      units: first?.all_units ?? 0,
      valueCents: first ? centsOf({ worth_e9: first.all_e9, worth: first.all_rest }) : 0,
      delivered: first?.all_delivered ?? 0,
    },
  };
}

type SupplierRow = {
  place: number;
  name: string;
  items: number;
  units: number;
  worth_e9: number;
  worth: number;
  delivered: number;
  all_suppliers: number;
  all_items: number;
  all_units: number;
  all_e9: number;
  all_rest: number;
  all_delivered: number;
};

// A supplier's name can have several spellings; the one on the newest item is shown.
const suppliers = (sold: Sold, page: string) => `${sold.with}, each_item as materialized (
    select num, supplier_key, quantity, price_cents, case when deleted_at is null then 1 else 0 end as live,
      ${sold.units} as sold
    from ${sold.from} where items.house = $2
  ), each_supplier as materialized (
    select max(num) as newest, ${asBigint('sum(live)')} as items, ${asBigint('sum(live * quantity)')} as units,
      ${asBigint(`sum(live * ${WORTH_E9})`)} as worth_e9, ${asBigint(`sum(live * ${WORTH})`)} as worth,
      ${asBigint('sum(sold)')} as delivered
    from each_item group by supplier_key
  )
  select row_number() over (order by ${byWorth('worth_e9', 'worth')}, newest) as place, supplier_name as name, supplier.*,
    count(*) over () as all_suppliers, ${asBigint('sum(items) over ()')} as all_items,
    ${asBigint('sum(units) over ()')} as all_units, ${asBigint('sum(worth_e9) over ()')} as all_e9,
    ${asBigint('sum(worth) over ()')} as all_rest, ${asBigint('sum(delivered) over ()')} as all_delivered
  from each_supplier supplier join items newest_item on newest_item.num = supplier.newest where items > 0 or delivered <> 0
  order by place limit ${page}`;
