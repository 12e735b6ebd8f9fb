import type { Item } from '@perfume/domain/items';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { ApiProblem } from '../../api/client.ts';
import { cachedItem } from '../../live/item-cache.ts';
import { useMay } from '../../live/may.ts';
import { problemText } from '../../live/problem-text.ts';
import { entryAction } from '../../live/undo-entry.ts';
import { performed } from '../../live/undo-stack.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { notify } from '../../ui/toast.ts';
import { useWords } from '../../words/words.tsx';
import { manageInventoryLink } from '../inventory/manage-inventory-link.ts';
import { restoreItem } from '../items/delete-item.ts';
import { itemDeletedQuery } from './item-deleted-query.ts';
import styles from './item-unavailable.module.css';

// What the pages of an item show while the item is loading or cannot be shown.

export function ItemLoading() {
  const { say } = useWords();
  return (
    <div className={styles.waiting}>
      <Spinner large label={say('Loading...')} />
    </div>
  );
}

export function ItemFailed({ problem, onRetry }: { problem: unknown; onRetry: () => void }) {
  const { say } = useWords();
  const offline = problem instanceof ApiProblem && problem.code === 'offline';
  return (
    <Unavailable text={say('stock.failed')} alert>
      {offline && <p>{say('problem.offline')}</p>}
      <Button look="primary" onClick={onRetry}>
        {say('retry')}
      </Button>
    </Unavailable>
  );
}

/** Shown when somebody deleted the item while it was open here. */
export function ItemDeleted({ item }: { item: Item }) {
  const { say } = useWords();
  return (
    <Unavailable text={say('stock.deletedNow', { name: item.name })} alert>
      <Restore id={item.id} name={item.name} />
    </Unavailable>
  );
}

/** Shown when no item has this id. If an item with this id was deleted, it can be restored. */
export function ItemNotFound({ id }: { id: string }) {
  const { say } = useWords();
  const { data: deleted, errorUpdateCount, isFetching, refetch } = useQuery(itemDeletedQuery(id));
  // The error stays on screen during retries. Otherwise a screen reader would announce it after each one.
  if (deleted === undefined && errorUpdateCount > 0) {
    return (
      <Unavailable text={say('stock.notChecked')} alert>
        <Button look="primary" busy={isFetching} onClick={() => void refetch()}>
          {say('retry')}
        </Button>
      </Unavailable>
    );
  }
  if (deleted === undefined) return <ItemLoading />;
  return (
    <Unavailable text={deleted ? say('stock.deleted') : say('stock.unknown')}>
      {deleted && <Restore id={id} name={null} />}
    </Unavailable>
  );
}

function Restore({ id, name }: { id: string; name: string | null }) {
  const words = useWords();
  const may = useMay();
  const [busy, setBusy] = useState(false);

  async function restore() {
    setBusy(true);
    try {
      const entry = await restoreItem(id);
      performed(
        entryAction({ id: entry, itemId: id, what: { kind: 'restore', name: name ?? cachedItem(id)?.name ?? '' } }),
      );
      if (name !== null) notify({ kind: 'success', id, text: words.say('delete.restored', { name }) });
    } catch (problem) {
      notify({ kind: 'error', id, text: problemText(problem, words) });
      setBusy(false);
    }
  }

  if (!may('changeItems')) return null;
  return (
    <Button look="primary" busy={busy} onClick={restore}>
      {words.say('stock.restore')}
    </Button>
  );
}

function Unavailable({ text, alert = false, children }: { text: string; alert?: boolean; children: ReactNode }) {
  const { say } = useWords();
  return (
    <div className={styles.absent}>
      <EmptyState text={text} alert={alert}>
        <div className={styles.actions}>
          {children}
          <LinkButton to={manageInventoryLink()}>{say('nav.manageInventory')}</LinkButton>
        </div>
      </EmptyState>
    </div>
  );
}
