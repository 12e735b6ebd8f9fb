import { fromWire, fromWireName } from '@perfume/contract/wire-item';
import type { Item } from '@perfume/domain/items';
import { ApiProblem, call } from '../../api/client.ts';
import { newIdempotencyKey, retryUntilAnswered } from '../../api/retry.ts';
import { cachedItem, refetchLists, updateCachedItem } from '../../live/item-cache.ts';
import type { Edit, EditField } from './edit-fields.ts';

export type Saved = { ok: true; item: Item; entry: string } | { ok: false; theirs: Item; fields: EditField[] };

/** Saves an edit. If somebody else changed one of its fields first, saves nothing and returns the conflict. */
export async function saveEdit(item: Item, body: Edit): Promise<Saved> {
  const key = newIdempotencyKey();
  try {
    const { data } = await retryUntilAnswered((signal) =>
      call('POST /inventory-items/:id/edit', {
        params: { id: item.id },
        body,
        headers: { 'idempotency-key': key },
        signal,
      }),
    );
    const saved = fromWire(data);
    show(saved);
    refetchLists();
    return { ok: true, item: saved, entry: key };
  } catch (problem) {
    if (!(problem instanceof ApiProblem) || problem.code !== 'edit_conflict' || !problem.item) throw problem;
    const theirs = fromWire(problem.item);
    show(theirs);
    return { ok: false, theirs, fields: Object.keys(problem.fields).map(fromWireName) as EditField[] };
  }
}

/** Shows the saved item, unless the change feed has already delivered a newer version. */
function show(item: Item): void {
  const known = cachedItem(item.id);
  if (!known || known.version <= item.version) updateCachedItem(item);
}
