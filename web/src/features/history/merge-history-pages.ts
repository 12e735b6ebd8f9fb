import type { WireEntry } from '@perfume/contract/history';
import type { InfiniteData } from '@tanstack/react-query';
import type { HistoryPage } from './history-query.ts';

export type HistoryPages = InfiniteData<HistoryPage, string | null>;

/** Returns the entries of a newly fetched first page that are not loaded yet. */
export function newEntries({ pages }: HistoryPages, first: HistoryPage): WireEntry[] {
  const known = new Set(pages.flatMap(({ entries }) => entries.map(({ id }) => id)));
  return first.entries.filter(({ id }) => !known.has(id));
}

/**
 * Returns the loaded pages with a newer first page merged into them, or null if entries between the two are missing. A
 * loaded entry changes only when a newer entry undoes it or renames its item, so merging the new entries brings all
 * pages up to date.
 */
export function withFirstPage(known: HistoryPages, first: HistoryPage): HistoryPages | null {
  const news = newEntries(known, first);
  if (news.length === 0) return known;
  if (news.length === first.entries.length && first.next !== null) return null;
  const [top = { entries: [], next: null }, ...rest] = known.pages;
  const inFirst = new Set(first.entries.map(({ id }) => id));
  const refresh = refresher(news);
  const entries = [...first.entries, ...top.entries.filter(({ id }) => !inFirst.has(id)).map(refresh)];
  return {
    pageParams: known.pageParams,
    pages: [
      { entries: keepUnchanged(top.entries, entries), next: top.next },
      ...rest.map((page) => ({ ...page, entries: page.entries.map(refresh) })),
    ],
  };
}

/** Returns the loaded pages with the effects of newer entries: undone entries are marked and items are renamed. */
export function withUpdates(known: HistoryPages, newer: WireEntry[]): HistoryPages {
  return changed(known, refresher(newer));
}

/** Returns the loaded pages with entries of a batch marked as undone. `undoneBy` maps item ids to undo entries. */
export function withBatchUndone(
  known: HistoryPages,
  batch: string,
  undoneBy: ReadonlyMap<string | null, string>,
): HistoryPages {
  return changed(known, (entry) => {
    const by = entry.batch === batch && entry.undoneBy === null ? undoneBy.get(entry.itemId) : undefined;
    return by === undefined ? entry : { ...entry, undoneBy: by };
  });
}

function changed(known: HistoryPages, change: (entry: WireEntry) => WireEntry): HistoryPages {
  const pages = known.pages.map((page) => {
    const entries = page.entries.map(change);
    return entries.some((entry, at) => entry !== page.entries[at]) ? { ...page, entries } : page;
  });
  return pages.some((page, at) => page !== known.pages[at]) ? { pageParams: known.pageParams, pages } : known;
}

/** Returns `now` with the objects of `before` for unchanged entries, so that their rows do not re-render. */
function keepUnchanged(before: WireEntry[], now: WireEntry[]): WireEntry[] {
  const known = new Map(before.map((entry) => [entry.id, entry]));
  return now.map((entry) => {
    const same = known.get(entry.id);
    return same && same.undoneBy === entry.undoneBy && same.itemName === entry.itemName ? same : entry;
  });
}

function refresher(news: WireEntry[]): (entry: WireEntry) => WireEntry {
  const undoneBy = new Map<string, string>();
  const names = new Map<string | null, string | null>();
  for (const { id, undoes, itemId, itemName } of news) {
    if (undoes !== null) undoneBy.set(undoes, id);
    // Entries come newest first, so the first name wins.
    if (!names.has(itemId)) names.set(itemId, itemName);
  }
  return (entry) => {
    const undone = undoneBy.get(entry.id) ?? entry.undoneBy;
    const itemName = names.get(entry.itemId) ?? entry.itemName;
    return undone === entry.undoneBy && itemName === entry.itemName ? entry : { ...entry, undoneBy: undone, itemName };
  };
}
