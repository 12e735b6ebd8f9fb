/** What every ranking shows of an item. */
export type RankedItem = { id: string; name: string; supplierName: string; imageUrl: string; onHand: number };

export type RankedRow = {
  place: number;
  id: string;
  name: string;
  supplier_name: string;
  image_url: string;
  quantity: number;
  price_cents: number;
  created_at: number;
};

export function toRankedItem({ id, name, supplier_name, image_url, quantity }: RankedRow): RankedItem {
  return { id, name, supplierName: supplier_name, imageUrl: image_url, onHand: quantity };
}

/** SQL for what the page shows of its items, which have the columns units and stock_value. */
export function topItems(order: string): string {
  return `select row_number() over (order by ${order}) as place, items.num, items.id, items.name, items.supplier_name,
      items.image_url, items.quantity, items.price_cents, items.created_at, first.units
    from (select num as chosen, units, stock_value from page) first join items on items.num = first.chosen`;
}

/** Which rows of a ranking to read. */
export type RankedPage = { limit: number; skip?: number };

/** SQL for the page, whose limit is a parameter. */
export const pageSql = (order: string, limit: string, { skip = 0 }: RankedPage) =>
  `select * from kept order by ${order} limit ${limit} offset ${Math.trunc(skip)}`;

export function supplierCondition(key: string | null, placeholder: string): string {
  return key === null ? '' : ` and supplier_key = ${placeholder}`;
}

export function supplierParams(key: string | null): string[] {
  return key === null ? [] : [key];
}
