import type { Item } from '@perfume/domain/items';
import { problemText } from '../../live/problem-text.ts';
import { entryAction } from '../../live/undo-entry.ts';
import { performed, trackPending } from '../../live/undo-stack.ts';
import { undoAction } from '../../live/undo-with-toast.ts';
import { notify } from '../../ui/toast.ts';
import type { Words } from '../../words/words.tsx';
import { type Saved, saveEdit } from '../item-form/save-edit.ts';

/** Adds a code to the barcodes of an item, with an undo. Resolves with the item, or with null when it is refused. */
export async function attachCode(item: Item, code: string, words: Words): Promise<Item | null> {
  const { say } = words;
  try {
    const { item: saved, entry } = await trackPending(addBarcode(item, code));
    const action = entryAction({ id: entry, itemId: item.id, what: { kind: 'edit', name: item.name } });
    performed(action);
    const text = say('floor.attached', { code, name: item.name });
    notify({ kind: 'success', id: item.id, text, action: undoAction([action], words) });
    return saved;
  } catch (problem) {
    const text = `${say('floor.notAttached', { code })} ${problemText(problem, words)}`;
    notify({ kind: 'error', id: `${item.id} refused`, text });
    return null;
  }
}

/** If somebody else changed the barcodes meanwhile, adds the code to theirs. */
async function addBarcode(item: Item, code: string): Promise<Extract<Saved, { ok: true }>> {
  const { barcodes } = item;
  const saved = await saveEdit(item, { changes: { barcodes: [...barcodes, code] }, seen: { barcodes } });
  return saved.ok ? saved : addBarcode(saved.theirs, code);
}
