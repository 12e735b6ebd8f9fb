import type { HistoryKind } from '@perfume/contract/history';
import { type CountReason, countReasons } from '@perfume/domain/ledger';
import { parseUuid } from '@perfume/domain/uuid';
import { useCallback, useMemo } from 'react';
import { useSearchParams } from '../../ui/router.tsx';

/** Which entries to show. `from` and `to` are local days, both included. */
export type HistoryFilters = {
  item: string | null;
  kind: HistoryKind | null;
  /** Set only with the kind `correction`. */
  reason: CountReason | null;
  by: string | null;
  from: string | null;
  to: string | null;
};

export const noFilters: HistoryFilters = { item: null, kind: null, reason: null, by: null, from: null, to: null };

const kinds: Record<HistoryKind, true> = {
  deliver: true,
  restock: true,
  correction: true,
  undo: true,
  edited: true,
  opening: true,
  deleted: true,
  restored: true,
  settings: true,
};
/** The kinds in the order in which the filter offers them: frequent kinds first. */
export const offeredKinds = Object.keys(kinds) as HistoryKind[];

const MAX_LENGTH = 200;

/** Reads the filters from the query string. Unknown values are ignored. */
export function readHistoryFilters(search: URLSearchParams): HistoryFilters {
  const kind = search.get('kind') ?? '';
  const reason = countReasons.find((one) => kind === 'correction' && one === search.get('reason')) ?? null;
  const by = search.get('by') ?? '';
  return {
    item: parseUuid(search.get('item') ?? ''),
    kind: Object.hasOwn(kinds, kind) ? (kind as HistoryKind) : null,
    reason,
    by: by !== '' && by.length <= MAX_LENGTH ? by : null,
    from: dayOf(search.get('from')),
    to: dayOf(search.get('to')),
  };
}

export type HistoryParams = {
  item?: string;
  kind?: HistoryKind;
  reason?: CountReason;
  by?: string;
  from?: string;
  to?: string;
};

/** Returns the filters as API parameters. Days become instants, in the time zone of the browser. */
export function historyParams({ item, kind, reason, by, from, to }: HistoryFilters): HistoryParams {
  return {
    ...(item !== null && { item }),
    ...(kind !== null && { kind }),
    ...(reason !== null && { reason }),
    ...(by !== null && { by }),
    ...(from !== null && { from: startOf(from).toISOString() }),
    ...(to !== null && { to: startOf(to, 1).toISOString() }),
  };
}

export function isFiltered(filters: HistoryFilters): boolean {
  return Object.values(filters).some((value) => value !== null);
}

/** Returns the filters in the URL and a function that changes them. Each change adds to the browser history. */
export function useHistoryFilters() {
  const [search, setSearch] = useSearchParams();
  const queryString = search.toString();
  const filters = useMemo(() => readHistoryFilters(new URLSearchParams(queryString)), [queryString]);
  const setFilters = useCallback(
    (change: Partial<HistoryFilters>) =>
      setSearch((now) => {
        const next = new URLSearchParams(now);
        for (const [name, value] of Object.entries(change)) {
          if (value === null) next.delete(name);
          else next.set(name, value);
        }
        return next;
      }),
    [setSearch],
  );
  return { filters, setFilters };
}

/** Returns local midnight at the start of the day that is `more` days after `day`. */
function startOf(day: string, more = 0): Date {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + more);
}

/** Returns `text` if it is an existing day from 1900 to 2199, else null: there is no June 31st, for example. */
export function dayOf(text: string | null): string | null {
  if (text === null || !/^(?:19|20|21)\d{2}-\d{2}-\d{2}$/.test(text)) return null;
  return startOf(text).getMonth() + 1 === Number(text.slice(5, 7)) ? text : null;
}
