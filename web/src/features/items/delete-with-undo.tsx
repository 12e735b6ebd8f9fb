import type { Item } from '@perfume/domain/items';
import { type ReactNode, useState } from 'react';
import { problemText } from '../../live/problem-text.ts';
import { entryAction } from '../../live/undo-entry.ts';
import { type Action, performed, performUndo, trackPending, undoOffer } from '../../live/undo-stack.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { notify } from '../../ui/toast.ts';
import { useWords, type Words } from '../../words/words.tsx';
import { deleteItem, restoreItem } from './delete-item.ts';

type Options = {
  /**
   * Called when the user confirms, once the item has left every list. If the server refuses, the item reappears in
   * them.
   */
  onDeleted?: (item: Item) => void;
};

/**
 * Deletes items after a confirmation. `confirmDelete` opens the dialog 'Are you sure? You want to delete!'; render
 * `dialog` anywhere on the page.
 */
export function useDeleteWithUndo({ onDeleted }: Options = {}): {
  confirmDelete: (item: Item) => void;
  dialog: ReactNode;
} {
  const words = useWords();
  const [toDelete, setToDelete] = useState<Item | null>(null);

  function confirm(item: Item): void {
    setToDelete(null);
    void deleteWithToast(item, words);
    onDeleted?.(item);
  }

  const dialog = toDelete && (
    <Confirm
      title={words.say('delete.title', { name: toDelete.name })}
      text={words.say('delete.question')}
      confirmLabel={words.say('delete.confirm')}
      cancelLabel={words.say('delete.cancel')}
      onConfirm={() => confirm(toDelete)}
      onCancel={() => setToDelete(null)}
    />
  );
  return { confirmDelete: setToDelete, dialog };
}

async function deleteWithToast(item: Item, words: Words): Promise<void> {
  const { id, name } = item;
  const { say } = words;
  try {
    const entry = await trackPending(deleteItem(item));
    const action = entry === null ? null : entryAction({ id: entry, itemId: id, what: { kind: 'delete', name } });
    if (action) performed(action);
    const undo = undoOffer(action ? [action] : [], () => undoDelete(item, action, words));
    notify({ kind: 'success', id, text: say('delete.done', { name }), action: { text: say('undo'), ...undo } });
  } catch (problem) {
    notify({ kind: 'error', id, text: `${say('delete.failed', { name })} ${problemText(problem, words)}` });
  }
}

async function undoDelete({ id, name }: Item, action: Action | null, words: Words): Promise<void> {
  try {
    // Without an action, somebody else had already deleted the item. That is not ours to undo, but the item can be
    // restored.
    if (action) await performUndo(action);
    else performed(entryAction({ id: await restoreItem(id), itemId: id, what: { kind: 'restore', name } }));
    notify({ kind: 'success', id, text: words.say('delete.restored', { name }) });
  } catch (problem) {
    notify({ kind: 'error', id, text: problemText(problem, words) });
  }
}
