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
  /** Called at the click, when the item has left every list. Should the server refuse, it comes back there. */
  onDeleted?: (item: Item) => void;
};

/** 'Are you sure? You want to delete!' for whoever calls `ask`. Put `dialog` anywhere on the page. */
export function useDeleteWithUndo({ onDeleted }: Options = {}): { ask: (item: Item) => void; dialog: ReactNode } {
  const words = useWords();
  const [asked, setAsked] = useState<Item | null>(null);

  function confirm(item: Item): void {
    setAsked(null);
    void deleteAndTell(item, words);
    onDeleted?.(item);
  }

  const dialog = asked && (
    <Confirm
      title={words.say('delete.title', { name: asked.name })}
      text={words.say('delete.question')}
      confirmLabel={words.say('delete.confirm')}
      cancelLabel={words.say('delete.cancel')}
      onConfirm={() => confirm(asked)}
      onCancel={() => setAsked(null)}
    />
  );
  return { ask: setAsked, dialog };
}

async function deleteAndTell(item: Item, words: Words): Promise<void> {
  const { id, name } = item;
  const { say } = words;
  try {
    const entry = await trackPending(deleteItem(item));
    const action = entry === null ? null : entryAction({ id: entry, itemId: id, what: { kind: 'delete', name } });
    if (action) performed(action);
    const undo = undoOffer(action ? [action] : [], () => bringBack(item, action, words));
    notify({ kind: 'success', id, text: say('delete.done', { name }), action: { text: say('undo'), ...undo } });
  } catch (problem) {
    notify({ kind: 'error', id, text: `${say('delete.failed', { name })} ${problemText(problem, words)}` });
  }
}

async function bringBack({ id, name }: Item, action: Action | null, words: Words): Promise<void> {
  try {
    // What somebody else deleted is not ours to take back; it can still be restored.
    if (action) await performUndo(action);
    else performed(entryAction({ id: await restoreItem(id), itemId: id, what: { kind: 'restore', name } }));
    notify({ kind: 'success', id, text: words.say('delete.restored', { name }) });
  } catch (problem) {
    notify({ kind: 'error', id, text: problemText(problem, words) });
  }
}
