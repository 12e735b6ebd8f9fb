import { type KeptQuery, rowsOf } from '../src/db/core/kept-query.ts';

/** For tests of kept rows: the items with at least `least` units, most first, with what all of their shelf have. */
export const shelfQuery = (least: number, answer = '', house = 1): KeptQuery => ({
  house,
  rows: rowsOf(
    (which) =>
      `select items.num, shelf as grp, units from ${which.items} where units >= $1 and shelf <> 'none'${which.where}`,
  ),
  columns: { grp: 'text', units: 'bigint' },
  sums: ['units'],
  page: 'select * from kept order by units desc, num limit $2',
  order: 'units desc, num',
  answer:
    answer ||
    `select row_number() over (order by page.units desc, num) as place, num, page.units, sums.n, sums.units as of_shelf
     from page join sums using (grp)`,
  params: [least, 10],
});
