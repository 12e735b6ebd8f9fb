import type { WireEntry } from '@perfume/contract/history';

/** A table row: the heading of a day, one entry, or a bulk action (a batch). */
export type DisplayRow =
  | { kind: 'day'; key: string; at: number }
  | { kind: 'entry'; key: string; entry: WireEntry; inBatch: boolean }
  | { kind: 'batch'; key: string; batch: string; entries: WireEntry[]; open: boolean };

/**
 * Returns the table rows for the entries. Each day starts with a heading. A batch has one row, at the position of its
 * first entry; if the batch is expanded, its entries follow.
 */
export function displayRows(entries: readonly WireEntry[], expanded: ReadonlySet<string>): DisplayRow[] {
  const rows: DisplayRow[] = [];
  let currentDay = '';
  const grouped = new Set<WireEntry>();
  const batches = Map.groupBy(entries, (entry) => entry.batch && batchKey(entry.batch, entry));
  for (const entry of entries) {
    if (grouped.has(entry)) continue;
    const day = dayKey(entry);
    if (day !== currentDay) {
      currentDay = day;
      rows.push({ kind: 'day', key: `day ${day}`, at: Date.parse(entry.at) });
    }
    const batchEntries = entry.batch === null ? [] : (batches.get(batchKey(entry.batch, entry)) ?? []);
    if (entry.batch === null || batchEntries.length < 2) {
      rows.push({ kind: 'entry', key: entry.id, entry, inBatch: false });
      continue;
    }
    for (const one of batchEntries) grouped.add(one);
    const key = batchKey(entry.batch, entry);
    const open = expanded.has(key);
    rows.push({ kind: 'batch', key, batch: entry.batch, entries: batchEntries, open });
    if (open)
      rows.push(...batchEntries.map((one): DisplayRow => ({ kind: 'entry', key: one.id, entry: one, inBatch: true })));
  }
  return rows;
}

/** Identifies a batch within one day: a batch that runs past midnight has a row under both days. */
function batchKey(batch: string, entry: WireEntry): string {
  return `batch ${batch} ${dayKey(entry)}`;
}

function dayKey({ at }: WireEntry): string {
  return new Date(at).toDateString();
}
