import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useRef } from 'react';
import { itemQuery } from '../../live/item-cache.ts';
import { IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useWords } from '../../words/words.tsx';
import { ItemCombobox } from '../items/item-combobox.tsx';
import styles from './history-item-filter.module.css';
import { fetchHistory } from './history-query.ts';

type ItemFilterProps = { id: string | null; onPick: (id: string | null) => void };

/** The filter for one item, found by typing its name. */
export function HistoryItemFilter({ id, onPick }: ItemFilterProps) {
  const { say } = useWords();
  const field = useRef<HTMLInputElement>(null);
  // The clear button disappears with the filter, so the focus moves to the field.
  const clear = () => {
    field.current?.focus();
    onPick(null);
  };
  return (
    <ItemCombobox
      ref={field}
      look="filter"
      label={say('history.item')}
      placeholder={say('history.anyItem')}
      listLabel={say('history.findItem')}
      noneLabel={say('history.noItems')}
      value={useItemName(id)}
      button={
        id !== null && (
          <IconButton label={say('history.clearItem')} className={styles.clear} onClick={clear}>
            <Icon of={X} size={16} />
          </IconButton>
        )
      }
      onPick={(item) => onPick(item.id)}
    />
  );
}

/** Returns the item's current name, or, if the item was deleted, its last name in the history. */
function useItemName(id: string | null): string {
  const item = useQuery({ ...itemQuery(id ?? ''), enabled: id !== null }).data;
  const { data: last } = useQuery({
    queryKey: ['last name', id],
    queryFn: async ({ signal }) => {
      const { entries } = await fetchHistory({ ...(id !== null && { item: id }) }, { limit: 1, signal });
      return entries[0]?.itemName ?? null;
    },
    enabled: id !== null && item === null,
  });
  return id === null ? '' : (item?.name ?? last ?? '');
}
