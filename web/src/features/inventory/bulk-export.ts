import { csvHead, csvOfItem, UTF8_BOM } from '@perfume/domain/csv';
import type { Item } from '@perfume/domain/items';
import { retryUntilAnswered } from '../../api/retry.ts';
import { beginJob, endJob, showProgress } from '../../live/bulk-job.ts';
import { cachedItem, eachMatching, readItem } from '../../live/item-cache.ts';
import { download, fileName } from '../../ui/download.ts';
import { notify } from '../../ui/toast.ts';
import type { Words } from '../../words/words.tsx';
import { type BulkSelection, tellBusy, tellProblem } from './bulk-actions.ts';
import { countSelected, isSelected } from './selection.ts';

/** Writes what is bulkSelection into a file. */
export async function exportCsv(bulkSelection: BulkSelection, words: Words): Promise<void> {
  const signal = beginJob('export', countSelected(bulkSelection.selection));
  if (signal === null) return tellBusy(words);
  const found: Item[] = [];
  try {
    for await (const items of itemsOf(bulkSelection, signal)) {
      if (signal.aborted) return;
      found.push(...items);
      showProgress(found.length);
    }
    const lines = found.sort(orders[bulkSelection.filters.sort]).map(csvOfItem);
    download(new Blob([UTF8_BOM, csvHead, ...lines], { type: 'text/csv;charset=utf-8' }), fileName(new Date()));
    notify({ kind: 'success', id: 'bulk-export', text: words.say('bulk.exported', { count: lines.length }) });
  } catch (problem) {
    if (!signal.aborted) tellProblem(problem, words);
  } finally {
    endJob();
  }
}

/** Up to this many are asked for one by one; for more, the whole list is gone through. */
const FEW = 300;
const AT_ONCE = 6;

async function* itemsOf({ selection, filters }: BulkSelection, signal: AbortSignal): AsyncGenerator<Item[]> {
  if (selection.kind === 'some' && selection.ids.size <= FEW) {
    const ids = [...selection.ids];
    for (let at = 0; at < ids.length; at += AT_ONCE) {
      const found = await Promise.all(ids.slice(at, at + AT_ONCE).map((id) => findItem(id, signal)));
      yield found.filter((item) => item !== null);
    }
    return;
  }
  // Rows may have been selectedState under several searches, so those named are looked for among all.
  const where = selection.kind === 'all' ? filters : { ...filters, q: '', stock: null };
  // By age, which nobody changes: in another order, what others do meanwhile would leave rows out or repeat them.
  for await (const { items } of eachMatching({ ...where, sort: 'newest' }, signal))
    yield items.filter((item) => isSelected(selection, item));
}

const byAge = (a: Item, b: Item) => a.createdAt - b.createdAt;
const byName = (a: Item, b: Item) => a.name.localeCompare(b.name);
const byPrice = (a: Item, b: Item) => a.priceCents - b.priceCents;
const byQuantity = (a: Item, b: Item) => a.quantity - b.quantity;
const backwards =
  (order: typeof byAge): typeof byAge =>
  (a, b) =>
    order(b, a);

/** In the file they stand as in the table. */
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

async function findItem(id: string, cancel: AbortSignal): Promise<Item | null> {
  return cachedItem(id) ?? retryUntilAnswered((signal) => readItem(id, signal), cancel);
}
