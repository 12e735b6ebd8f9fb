import type { SortOrder } from '@perfume/contract/items';
import { ChevronDown } from 'lucide-react';
import { useId } from 'react';
import type { ListFilters } from '../../live/item-cache.ts';
import { Icon } from '../../ui/icon.tsx';
import { useWords } from '../../words/words.tsx';
import styles from './inventory-toolbar.module.css';
import type { FilterChange, Stock } from './list-filters.ts';

type FiltersProps = { filters: ListFilters; onChoose: (change: FilterChange) => void };

const stocks = ['all', 'in', 'low', 'out'] as const;
const sorts: readonly SortOrder[] = ['newest', '-newest', 'name', '-name', 'price', '-price', 'quantity', '-quantity'];

export function InventoryToolbar({ filters, onChoose }: FiltersProps) {
  const { say } = useWords();
  return (
    <>
      <Pick
        label={say('inventory.stockFilter')}
        value={filters.stock ?? 'all'}
        options={stocks.map((value) => ({ value, text: say(`inventory.stock.${value}`) }))}
        onPick={(value) => onChoose({ stock: value === 'all' ? null : (value as Stock) })}
      />
      <Pick
        label={say('inventory.sort')}
        value={filters.sort}
        options={sorts.map((value) => ({ value, text: say(`inventory.sort.${value}`) }))}
        onPick={(value) => onChoose({ sort: value as SortOrder })}
      />
    </>
  );
}

type PickProps = {
  label: string;
  value: string;
  options: { value: string; text: string }[];
  onPick: (value: string) => void;
};

/** A native select: familiar, and the best choice on phones. */
function Pick({ label, value, options, onPick }: PickProps) {
  const id = useId();
  return (
    <div className={styles.pick}>
      <label htmlFor={id} className={styles.label}>
        {label}
      </label>
      <select id={id} value={value} className={styles.select} onChange={({ target }) => onPick(target.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </select>
      <span className={styles.arrow}>
        <Icon of={ChevronDown} size={16} />
      </span>
    </div>
  );
}
