import type { SortOrder } from '@perfume/domain/list-filters';
import { ArrowDown, ArrowUp, ArrowUpDown } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import { Checkbox } from '../../ui/form/checkbox.tsx';
import { Icon } from '../../ui/icon.tsx';
import type { Key } from '../../words/catalogues.ts';
import { useWords } from '../../words/words.tsx';
import { ColumnHead, columnLabel } from './columns/column-head.tsx';
import type { ResizeColumns } from './columns/column-resizer.tsx';
import { type Chosen, type Column, isNumber, widthVariables } from './columns/columns.ts';
import styles from './inventory-head.module.css';
import type { Layout } from './inventory-row.tsx';

type HeadProps = Layout & {
  chosen: readonly Chosen[];
  onResize: ResizeColumns;
  sort: SortOrder;
  onSort: (sort: SortOrder) => void;
  /** How many of the matching items are selected. */
  selectedState: 'none' | 'some' | 'all';
  onSelectAll: (on: boolean) => unknown;
};

/** The head of the table. It is memoised, because the table re-renders while scrolling. */
export const InventoryHead = memo(function InventoryHead(props: HeadProps) {
  const { narrow, selecting, past, columns, isDefault, chosen, onResize, sort, onSort, selectedState, onSelectAll } =
    props;
  const words = useWords();
  const { say } = words;
  const selectAll = (
    <Checkbox
      hideLabel
      label={say('inventory.selectAll')}
      checked={selectedState === 'all'}
      mixed={selectedState === 'some'}
      onChange={() => onSelectAll(selectedState !== 'all')}
    />
  );
  const nameHead = (
    <SortLabel by="name" label={say('inventory.product')} sort={sort} onSort={onSort}>
      {narrow && selecting && !past && selectAll}
    </SortLabel>
  );
  const update = past ? say('timeMachine.today') : say('inventory.update');
  if (narrow)
    return (
      <thead className={styles.head}>
        <tr aria-rowindex={1}>
          <th scope="col" aria-sort={directionOf(sort, 'name')}>
            {nameHead}
          </th>
          <th scope="col" className={styles.update}>
            {update}
          </th>
        </tr>
      </thead>
    );

  /** What a column is sorted by. One column only is sorted, so the quantity is not if the stock is shown. */
  const sortKeyOf = (column: Column): SortKey | null => {
    if (column === 'name' || column === 'price') return column;
    const isStock = column === 'stock' || (column === 'quantity' && !columns.includes('stock'));
    return isStock ? 'quantity' : null;
  };
  return (
    <thead
      className={styles.head}
      // Here and not on the table, so that a change of widths concerns no cell of the body.
      data-sized={isDefault ? undefined : ''}
      style={isDefault ? undefined : widthVariables(chosen)}
    >
      <tr aria-rowindex={1}>
        {!past && (
          <th scope="col" className={styles.select}>
            {selectAll}
          </th>
        )}
        {columns.map((column) => {
          const by = sortKeyOf(column);
          const label = column === 'update' ? update : columnLabel(column, words);
          return (
            <ColumnHead
              key={column}
              chosen={chosen}
              column={column}
              className={[styles[column], isNumber(column) && styles.numeric].filter(Boolean).join(' ')}
              sort={by === null ? undefined : directionOf(sort, by)}
              onResize={onResize}
            >
              {column === 'name' ? (
                nameHead
              ) : by ? (
                <SortLabel by={by} label={label} sort={sort} onSort={onSort} />
              ) : (
                label
              )}
            </ColumnHead>
          );
        })}
      </tr>
    </thead>
  );
});

type SortKey = 'name' | 'quantity' | 'price';

function directionOf(sort: SortOrder, by: SortKey): 'ascending' | 'descending' | undefined {
  return sort === by ? 'ascending' : sort === `-${by}` ? 'descending' : undefined;
}

const sortTitles = {
  name: 'inventory.sortByName',
  quantity: 'inventory.sortByQuantity',
  price: 'inventory.sortByPrice',
} as const satisfies Record<SortKey, Key>;

type SortLabelProps = {
  by: SortKey;
  label: string;
  sort: SortOrder;
  onSort: (sort: SortOrder) => void;
  children?: ReactNode;
};

/** The button in the head of a column that can be sorted. The first click sorts ascending, the next one descending. */
function SortLabel({ by, label, sort, onSort, children }: SortLabelProps) {
  const { say } = useWords();
  const direction = directionOf(sort, by);
  const up = direction === 'ascending';
  return (
    <div className={styles.labels}>
      {children}
      <button
        type="button"
        className={styles.sort}
        title={say(sortTitles[by])}
        onClick={() => onSort(up ? `-${by}` : by)}
      >
        {label}
        <span className={direction ? styles.mark : styles.offer}>
          <Icon of={up ? ArrowUp : direction ? ArrowDown : ArrowUpDown} size={14} />
        </span>
      </button>
    </div>
  );
}
