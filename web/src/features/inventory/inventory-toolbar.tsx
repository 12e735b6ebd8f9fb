import type { SortOrder } from '@perfume/domain/list-filters';
import type { ListFilters } from '../../live/item-cache.ts';
import { SelectFilter } from '../../ui/form/filter-field.tsx';
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
      <SelectFilter
        hideLabel
        className={styles.filter}
        label={say('inventory.stockFilter')}
        value={filters.stock ?? 'all'}
        options={stocks.map((value) => ({ value, text: say(`inventory.stock.${value}`) }))}
        onPick={(value) => onChoose({ stock: value === 'all' ? null : (value as Stock) })}
      />
      <SelectFilter
        hideLabel
        className={styles.filter}
        label={say('inventory.sort')}
        value={filters.sort}
        options={sorts.map((value) => ({ value, text: say(`inventory.sort.${value}`) }))}
        onPick={(value) => onChoose({ sort: value as SortOrder })}
      />
    </>
  );
}
