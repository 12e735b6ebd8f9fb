/** What every list of items shows of one. */
export type ItemLine = { id: string; name: string; supplierName: string; imageUrl: string; onHand: number };

export type LineRow = {
  place: number;
  id: string;
  name: string;
  supplier_name: string;
  image_url: string;
  quantity: number;
  price_cents: number;
  created_at: number;
};

export function toLine({ id, name, supplier_name, image_url, quantity }: LineRow): ItemLine {
  return { id, name, supplierName: supplier_name, imageUrl: image_url, onHand: quantity };
}

/** The first of a selection of (num, units, bound), in order. Only these items are read whole. */
export function firstOf(chosen: string, order: string, limit: string): string {
  return `select row_number() over (order by ${order}) as place, items.num, items.id, items.name, items.supplier_name,
      items.image_url, items.quantity, items.price_cents, items.created_at, first.units
    from (select num as chosen, units, bound from ${chosen} order by ${order} limit ${limit}) first
    join items on items.num = first.chosen`;
}

/** A question about sums answers with one empty row where there is nothing to tell. */
export function isRow(row: { place: number | null }): boolean {
  return row.place !== null;
}

export function ofSupplier(key: string | null, place: string): string {
  return key === null ? '' : ` and supplier_key = ${place}`;
}

export function given(key: string | null): string[] {
  return key === null ? [] : [key];
}
