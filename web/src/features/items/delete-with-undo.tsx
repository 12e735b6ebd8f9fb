import type { Item } from '@perfume/domain/items';
import { type ReactNode, useState } from 'react';
import { Confirm } from '../../ui/confirm.tsx';
import { notify } from '../../ui/toast.ts';
import { useWords, type Words } from '../../words/words.tsx';
import { deleteItem, restoreItem } from './delete-item.ts';
import { problemText } from './problem-text.ts';
import { entryDeed } from './undo-entry.ts';
import { type Deed, did, takeBack, whileUnderWay } from './undo-stack.ts';

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
  let deed: Deed | null = null;
  try {
    const entry = await whileUnderWay(deleteItem(item));
    if (entry !== null) {
      deed = entryDeed(entry, { kind: 'delete', name });
      did(deed);
    }
  } catch (problem) {
    return notify({ kind: 'error', text: `${say('delete.failed', { name })} ${problemText(problem, words)}` });
  }
  const toast = `delete-${id}-${++shown}`;
  notify({
    kind: 'success',
    id: toast,
    text: say('delete.done', { name }),
    action: { text: say('undo'), run: () => void restoreAndTell(item, deed, words, toast) },
  });
}

/** Each deletion has its own toast, even of an item deleted, brought back and deleted again. */
let shown = 0;

async function restoreAndTell({ id, name }: Item, deed: Deed | null, words: Words, toast: string): Promise<void> {
  try {
    // What somebody else deleted is not ours to take back; it can still be brought back.
    await (deed ? takeBack(deed) : restoreItem(id));
    // It takes the place of the toast that was clicked, so nobody undoes twice.
    notify({ kind: 'success', id: toast, text: words.say('delete.restored', { name }) });
  } catch (problem) {
    notify({ kind: 'error', text: problemText(problem, words) });
  }
}
