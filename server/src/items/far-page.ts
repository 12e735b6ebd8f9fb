import type { SortOrder } from '@perfume/domain/list-filters';
import { sortOf } from './sort-column.ts';

/** How the values of a sort order are grouped: `of` a value, and the first and last value of a group, all as SQL. */
type Group = { of: string; first: string; last: string };

const byNumber = (width: number): Group => ({
  of: `sorted / ${width}`,
  first: `grp * ${width}`,
  last: `grp * ${width} + ${width - 1}`,
});
/** Wide enough for few groups, and narrow enough that few rows of a group are skipped. */
const groups: Record<ReturnType<typeof sortOf>['column'], Group> = {
  num: byNumber(1_000),
  price_cents: byNumber(100),
  quantity: byNumber(1),
  // A group of fewer characters has only names that are no longer.
  name_key: { of: 'substr(sorted, 1, 6)', first: 'grp', last: 'iif(length(grp) < 6, grp, grp || char(1114111))' },
};

/**
 * SQL for a page of kept rows, in the order of their columns `sorted` and num. Skipping rows one by one takes longer the further
 * down the page is. So `keptPage` skips only those before the page in its own group, and the others by their number.
 */
export function farPage(sort: SortOrder, limit: string, skip: string) {
  const { column, descending } = sortOf(sort);
  const { of, first, last } = groups[column];
  const direction = descending ? 'desc' : 'asc';
  const order = `sorted ${direction}, num ${direction}`;
  const page = `select * from kept order by ${order} limit ${limit} offset ${skip}`;
  const keptPage = `with own_group as materialized (
      select grp, before from (
        select grp, sum(n) over (order by grp ${direction} rows unbounded preceding) - n as before from sums
      ) places where before <= ${skip} order by before desc limit 1
    )
    select * from kept where sorted ${descending ? `<= (select ${last} from own_group)` : `>= (select ${first} from own_group)`}
    order by ${order} limit ${limit} offset ${skip} - coalesce((select before from own_group), 0)`;
  const type = column === 'name_key' ? ('text' as const) : ('bigint' as const);
  return { grp: of, columns: { grp: type, sorted: type }, order, page, keptPage };
}
