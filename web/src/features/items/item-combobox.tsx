import { fromWire } from '@perfume/contract/wire-item';
import type { Item } from '@perfume/domain/items';
import { isSafeText } from '@perfume/domain/safe-text';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useCombobox } from 'downshift';
import { type ReactNode, type Ref, useEffect, useState } from 'react';
import { call } from '../../api/client.ts';
import { ComboboxView } from '../../ui/form/combobox.tsx';
import { Picture } from '../../ui/picture.tsx';
import styles from './item-combobox.module.css';

const PAUSE_MS = 120;
const MAX_MATCHES = 8;

type ItemComboboxProps = {
  look?: 'field' | 'filter';
  label: string;
  placeholder: string;
  listLabel: string;
  noneLabel: string;
  /** What the field shows while nobody types: the name of the chosen item, if there is one. */
  value?: string;
  ref: Ref<HTMLInputElement>;
  button?: ReactNode;
  onPick: (item: Item) => void;
};

/** A field that finds an item by typing its name. Typed text means nothing until an item is chosen. */
export function ItemCombobox(props: ItemComboboxProps) {
  const { look = 'field', label, placeholder, listLabel, noneLabel, value = '', ref, button, onPick } = props;
  const [typed, setTyped] = useState<string | null>(null);
  const { items, settled } = useMatches(typed ?? '');
  const box = useCombobox<Item>({
    items,
    inputValue: typed ?? value,
    itemToString: (item) => item?.name ?? '',
    selectedItem: null,
    onInputValueChange: ({ inputValue, type }) => {
      if (type === useCombobox.stateChangeTypes.InputChange) setTyped(inputValue);
    },
    onSelectedItemChange: ({ selectedItem }) => {
      setTyped(null);
      if (selectedItem) onPick(selectedItem);
    },
    // When the list closes, the field shows the chosen item again.
    onIsOpenChange: ({ isOpen }) => !isOpen && setTyped(null),
  });
  return (
    <ComboboxView
      box={box}
      look={look}
      label={label}
      input={box.getInputProps({
        ref,
        placeholder,
        maxLength: 200,
        spellCheck: false,
        onFocus: () => setTyped(''),
        onBlur: () => setTyped(null),
      })}
      button={button}
      listLabel={listLabel}
      items={items}
      keyOf={(item) => item.id}
      renderItem={(item) => (
        <>
          <Picture src={item.imageUrl} alt="" width={28} height={35} eager className={styles.picture} />
          <bdi>{item.name}</bdi>
        </>
      )}
      status={box.isOpen && settled && items.length === 0 && noneLabel}
    />
  );
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
    queryKey: ['item matches', q],
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
