import type { Item } from '@perfume/domain/items';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { itemQuery } from '../../live/item-cache.ts';
import { listAsLeft } from '../inventory/list-as-left.ts';
import { useDeleteWithUndo } from '../items/delete-with-undo.tsx';
import { DeletedNow, Failed, Loading, NotThere } from './item-absent.tsx';
import { ItemSheet } from './item-sheet.tsx';

/** /dashboard/inventory/{id}: one item, its stock, and what can be done to it. */
export function ItemPage() {
  const { id = '' } = useParams();
  const known = id.toLowerCase();
  return <ItemOf key={known} id={known} />;
}

function ItemOf({ id }: { id: string }) {
  const { data: item, error, refetch, isFetching } = useQuery(itemQuery(id));
  const navigate = useNavigate();
  const [last, setLast] = useState<Item | null>(null);
  if (item && item !== last) setLast(item);
  const [leaving, setLeaving] = useState(false);
  const { ask, dialog } = useDeleteWithUndo({
    onDeleted: () => {
      setLeaving(true);
      navigate(listAsLeft());
    },
  });

  // While the list is on its way, what was deleted here is not told as news.
  const shown = leaving ? last : item;
  if (shown) {
    return (
      <>
        <ItemSheet item={shown} onDelete={() => ask(shown)} />
        {dialog}
      </>
    );
  }
  if (shown === null) return last ? <DeletedNow item={last} /> : <NotThere id={id} />;
  if (error && !isFetching) return <Failed problem={error} onRetry={() => void refetch()} />;
  return <Loading />;
}
