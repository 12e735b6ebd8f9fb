import type { WireEntry } from '@perfume/contract/history';

/** A row of the history as it is drawn: the head of a day, one entry, or what was done to many items at once. */
export type DisplayRow =
  | { kind: 'day'; key: string; at: number }
  | { kind: 'entry'; key: string; entry: WireEntry; inBatch: boolean }
  | { kind: 'batch'; key: string; batch: string; entries: WireEntry[]; open: boolean };

/** Day by day. Entries of one batch stand together under one row, where the first of them is. */
export function displayRows(entries: readonly WireEntry[], expanded: ReadonlySet<string>): DisplayRow[] {
  const rows: DisplayRow[] = [];
  let today = '';
  const told = new Set<WireEntry>();
  const batches = Map.groupBy(entries, (entry) => entry.batch && batchKey(entry.batch, entry));
  for (const entry of entries) {
    if (told.has(entry)) continue;
    const day = dayKey(entry);
    if (day !== today) {
      today = day;
      rows.push({ kind: 'day', key: `day ${day}`, at: Date.parse(entry.at) });
    }
    const together = entry.batch === null ? [] : (batches.get(batchKey(entry.batch, entry)) ?? []);
    if (entry.batch === null || together.length < 2) {
      rows.push({ kind: 'entry', key: entry.id, entry, inBatch: false });
      continue;
    }
    for (const one of together) told.add(one);
    const key = batchKey(entry.batch, entry);
    const open = expanded.has(key);
    rows.push({ kind: 'batch', key, batch: entry.batch, entries: together, open });
    if (open)
      rows.push(...together.map((one): DisplayRow => ({ kind: 'entry', key: one.id, entry: one, inBatch: true })));
  }
  return rows;
}

/** A batch that goes on over midnight stands under both days. */
function batchKey(batch: string, entry: WireEntry): string {
  return `batch ${batch} ${dayKey(entry)}`;
}

function dayKey({ at }: WireEntry): string {
  return new Date(at).toDateString();
}
