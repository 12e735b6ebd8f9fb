import { fromWire } from '@perfume/contract/wire-item';
import type { Item } from '@perfume/domain/items';
import { isSafeText } from '@perfume/domain/text';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useCombobox } from 'downshift';
import { X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { call } from '../../api/client.ts';
import { itemQuery } from '../../live/item-cache.ts';
import { IconButton } from '../../ui/button.tsx';
import { ComboboxView } from '../../ui/form/combobox.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Picture } from '../../ui/picture.tsx';
import { useWords } from '../../words/words.tsx';
import styles from './history-item-filter.module.css';
import { fetchHistory } from './history-query.ts';

const PAUSE_MS = 120;
const MAX_MATCHES = 8;

type ItemFilterProps = { id: string | null; onPick: (id: string | null) => void };

/** The filter for one item, found by typing its name. */
export function HistoryItemFilter({ id, onPick }: ItemFilterProps) {
  const { say } = useWords();
  const name = useItemName(id);
  const [typed, setTyped] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const { items, settled } = useMatches(typed ?? '');
  const box = useCombobox<Item>({
    items,
    inputValue: typed ?? name,
    itemToString: (item) => item?.name ?? '',
    selectedItem: null,
    onInputValueChange: ({ inputValue, type }) => {
      if (type === useCombobox.stateChangeTypes.InputChange) setTyped(inputValue);
    },
    onSelectedItemChange: ({ selectedItem }) => {
      setTyped(null);
      if (selectedItem) onPick(selectedItem.id);
    },
    // Typed text is not a filter until an item is chosen. When the list closes, the field shows the chosen item again.
    onIsOpenChange: ({ isOpen }) => !isOpen && setTyped(null),
  });
  // The clear button disappears with the filter, so the focus moves to the field.
  const clear = () => {
    field.current?.focus();
    onPick(null);
  };
  return (
    <ComboboxView
      box={box}
      look="filter"
      label={say('history.item')}
      input={box.getInputProps({
        ref: field,
        placeholder: say('history.anyItem'),
        maxLength: 200,
        spellCheck: false,
        onFocus: () => setTyped(''),
        onBlur: () => setTyped(null),
      })}
      button={
        id !== null && (
          <IconButton label={say('history.clearItem')} className={styles.clear} onClick={clear}>
            <Icon of={X} size={16} />
          </IconButton>
        )
      }
      listLabel={say('history.findItem')}
      items={items}
      keyOf={(item) => item.id}
      renderItem={(item) => (
        <>
          <Picture src={item.imageUrl} alt="" width={28} height={35} eager className={styles.picture} />
          <bdi>{item.name}</bdi>
        </>
      )}
      status={box.isOpen && settled && items.length === 0 && say('history.noItems')}
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

/**
 * Returns the items that match the typed text, searched for once typing pauses; without text, the newest items.
 * `settled` means that the items belong to the current text.
 */
function useMatches(typed: string): { items: Item[]; settled: boolean } {
  const [searched, setSearched] = useState(typed.trim());
  useEffect(() => {
    const timer = setTimeout(() => setSearched(typed.trim()), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const q = isSafeText(searched) ? searched : '';
  const { data, isPlaceholderData } = useQuery({
    queryKey: ['history items', q],
    queryFn: async ({ signal }) => {
      const { data } = await call('GET /all-inventory-items', {
        query: { limit: String(MAX_MATCHES), ...(q !== '' && { q }) },
        signal,
      });
      return data.map(fromWire);
    },
    placeholderData: keepPreviousData,
    gcTime: 30_000,
  });
  return { items: data ?? [], settled: data !== undefined && !isPlaceholderData && searched === typed.trim() };
}
