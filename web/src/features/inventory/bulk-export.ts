import { csvLine, UTF8_BOM } from '@perfume/domain/csv';
import { cellsOfItem, itemHead } from '@perfume/domain/exports';
import type { Item } from '@perfume/domain/items';
import { beginJob, endJob, showProgress } from '../../live/bulk-job.ts';
import { download, fileName } from '../../ui/download.ts';
import { notify } from '../../ui/toast.ts';
import type { Words } from '../../words/words.tsx';
import { type BulkSelection, notifyBusy, notifyProblem } from './bulk-actions.ts';
import { selectedItems } from './selected-items.ts';
import { countSelected } from './selection.ts';

/** Exports the selected items as CSV. */
export async function exportCsv(bulkSelection: BulkSelection, words: Words): Promise<void> {
  const signal = beginJob('export', countSelected(bulkSelection.selection));
  if (signal === null) return notifyBusy(words);
  const found: Item[] = [];
  try {
    for await (const items of selectedItems(bulkSelection, signal)) {
      if (signal.aborted) return;
      found.push(...items);
      showProgress(found.length);
    }
    const rows = found.sort(orders[bulkSelection.filters.sort]).map((item) => csvLine(cellsOfItem(item)));
    download(
      new Blob([UTF8_BOM, csvLine(itemHead), ...rows], { type: 'text/csv;charset=utf-8' }),
      fileName(new Date()),
    );
    notify({ kind: 'success', id: 'bulk-export', text: words.say('bulk.exported', { count: rows.length }) });
  } catch (problem) {
    if (!signal.aborted) notifyProblem(problem, words);
  } finally {
    endJob();
  }
}

const byAge = (a: Item, b: Item) => a.createdAt - b.createdAt;
const byName = (a: Item, b: Item) => a.name.localeCompare(b.name);
const byPrice = (a: Item, b: Item) => a.priceCents - b.priceCents;
const byQuantity = (a: Item, b: Item) => a.quantity - b.quantity;
const backwards =
  (order: typeof byAge): typeof byAge =>
  (a, b) =>
    order(b, a);

/** The comparison for each sort order, so that the file has the order of the table. */
const orders: Record<BulkSelection['filters']['sort'], typeof byAge> = {
  newest: backwards(byAge),
  '-newest': byAge,
  name: byName,
  '-name': backwards(byName),
  price: byPrice,
  '-price': backwards(byPrice),
  quantity: byQuantity,
  '-quantity': backwards(byQuantity),
};
