import { pathOf } from '@perfume/contract/page-paths';
import type { Item } from '@perfume/domain/items';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { itemQuery } from '../../live/item-cache.ts';
import { useNavigate, useParams } from '../../ui/router.tsx';
import { manageInventoryLink } from '../inventory/manage-inventory-link.ts';
import { useDeleteWithUndo } from '../items/delete-with-undo.tsx';
import { ItemDeleted, ItemFailed, ItemLoading, ItemNotFound } from './item-unavailable.tsx';
import { ItemView } from './item-view.tsx';

/** The page /dashboard/inventory/{id}. */
export function ItemPage() {
  const { id = '' } = useParams(pathOf.item);
  const known = id.toLowerCase();
  return <LoadedItem key={known} id={known} />;
}

function LoadedItem({ id }: { id: string }) {
  const { data: item, error, refetch, isFetching } = useQuery(itemQuery(id));
  const navigate = useNavigate();
  const [last, setLast] = useState<Item | null>(null);
  if (item && item !== last) setLast(item);
  const [leaving, setLeaving] = useState(false);
  const { confirmDelete, dialog } = useDeleteWithUndo({
    onDeleted: () => {
      setLeaving(true);
      navigate(manageInventoryLink());
    },
  });

  // After the user has deleted the item, it stays on screen until the list has opened.
  const shown = leaving ? last : item;
  if (shown) {
    return (
      <>
        <ItemView item={shown} onDelete={() => confirmDelete(shown)} />
        {dialog}
      </>
    );
  }
  if (shown === null) return last ? <ItemDeleted item={last} /> : <ItemNotFound id={id} />;
  if (error && !isFetching) return <ItemFailed problem={error} onRetry={() => void refetch()} />;
  return <ItemLoading />;
}
