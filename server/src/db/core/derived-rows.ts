// What triggers write, for programs that write the items with the triggers off.

export const TALLY_ITEMS = [
  'delete from item_tallies',
  `insert into item_tallies (house, slot, live, out_of_stock, low)
   select house, 0, count(*), count(*) filter (where quantity = 0), count(*) filter (where quantity <= low_at)
   from items where deleted_at is null group by house`,
];

/** PostgreSQL only. */
export const NAME_ITEMS = [
  'delete from item_names',
  "insert into item_names select num, name_key || e'\\n' || supplier_key from items",
];
