import { centsOf } from '@perfume/domain/money';
import type { Db } from '../db/core/database.ts';
import { rowsOf } from '../db/core/kept-query.ts';
import { byWorth, WORTH, WORTH_E9 } from './facts.ts';
import type { RankedPage } from './ranked-items.ts';
import { asBigint, soldOf } from './sold.ts';
import { querySums, type SummedQuery } from './sums.store.ts';

export type Supplier = { name: string; items: number; units: number; valueCents: number; delivered: number };
export type Suppliers = { suppliers: Supplier[]; total: Omit<Supplier, 'name'> & { suppliers: number } };
export type SuppliersQuery = { from: number; to: number } & RankedPage;

/** Suppliers by the value of their stock. Units delivered include those of items that are deleted now. */
export async function readSuppliers(db: Db, house: number, now: number, query: SuppliersQuery): Promise<Suppliers> {
  const { from, to, limit } = query;
  const rows = await querySums<SupplierRow>(db, house, now, suppliers(db, query), [from, to, limit]);
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

const ADDED = ['live', 'units', 'worth_e9', 'worth', 'sold'] as const;

function suppliers({ dialect }: Db, { skip = 0 }: RankedPage): SummedQuery {
  const rows = rowsOf((which) => {
    const sold = soldOf(dialect, which);
    return `${sold.with} select num, grp, live, live * quantity as units, live * ${WORTH_E9} as worth_e9,
        live * ${WORTH} as worth, sold
      from (
        select items.num, supplier_key as grp, quantity, price_cents, case when deleted_at is null then 1 else 0 end as live,
          ${sold.units} as sold
        from ${sold.from} where items.house = $2${which.where}
      ) each_item`;
  });
  // A supplier's name can have several spellings; the one on the newest item is shown.
  const page = 'select grp, max(num) as num from kept group by grp';
  const keptPage = 'select grp, (select max(num) from kept where kept.grp = sums.grp) as num from sums';
  const answer = `select row_number() over (order by ${byWorth('worth_e9', 'worth')}, newest) as place, supplier_name as name,
      supplier.*, count(*) over () as all_suppliers, ${asBigint('sum(items) over ()')} as all_items,
      ${asBigint('sum(units) over ()')} as all_units, ${asBigint('sum(worth_e9) over ()')} as all_e9,
      ${asBigint('sum(worth) over ()')} as all_rest, ${asBigint('sum(delivered) over ()')} as all_delivered
    from (
      select newest, live as items, units, worth_e9, worth, sold as delivered
      from sums join (select grp, num as newest from page) newest_items using (grp)
      where live > 0 or sold <> 0
    ) supplier join items newest_item on newest_item.num = supplier.newest
    order by place limit $5 offset ${Math.trunc(skip)}`;
  const added = Object.fromEntries(ADDED.map((name) => [name, 'bigint' as const]));
  return {
    rows,
    columns: { grp: 'text', ...added },
    sums: ADDED,
    page,
    keptPage,
    order: 'grp, num',
    answer,
    anyBoundary: true,
  };
}
