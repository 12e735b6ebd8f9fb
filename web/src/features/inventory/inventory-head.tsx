import type { SortOrder } from '@perfume/domain/list-filters';
import { ArrowDown, ArrowUp, ArrowUpDown } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import { Checkbox } from '../../ui/form/checkbox.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useWords } from '../../words/words.tsx';
import styles from './inventory-head.module.css';
import type { Layout } from './inventory-row.tsx';

type HeadProps = Layout & {
  sort: SortOrder;
  onSort: (sort: SortOrder) => void;
  /** How many of the matching items are selected. */
  selectedState: 'none' | 'some' | 'all';
  onSelectAll: (on: boolean) => unknown;
};

/** The head of the table. It is memoised, because the table re-renders while scrolling. */
export const InventoryHead = memo(function InventoryHead(props: HeadProps) {
  const { narrow, selecting, past, sort, onSort, selectedState, onSelectAll } = props;
  const { say } = useWords();
  const selectAll = (
    <Checkbox
      hideLabel
      label={say('inventory.selectAll')}
      checked={selectedState === 'all'}
      mixed={selectedState === 'some'}
      onChange={() => onSelectAll(selectedState !== 'all')}
    />
  );
  const sorting = { sort, onSort };
  return (
    <thead className={styles.head}>
      <tr aria-rowindex={1}>
        {!narrow && !past && (
          <th scope="col" className={styles.select}>
            {selectAll}
          </th>
        )}
        <SortHead by="name" label={say('inventory.product')} says={say('inventory.sortByName')} {...sorting}>
          {narrow && selecting && !past && selectAll}
        </SortHead>
        {!narrow && (
          <>
            <th scope="col" className={styles.dealer}>
              {say('inventory.dealer')}
            </th>
            <SortHead
              by="quantity"
              label={say('inventory.stock')}
              says={say('inventory.sortByQuantity')}
              {...sorting}
            />
            <SortHead by="price" label={say('inventory.price')} says={say('inventory.sortByPrice')} {...sorting} />
          </>
        )}
        <th scope="col" className={styles.update}>
          {past ? say('timeMachine.today') : say('inventory.update')}
        </th>
      </tr>
    </thead>
  );
});

type SortHeadProps = {
  by: 'name' | 'quantity' | 'price';
  label: string;
  says: string;
  sort: SortOrder;
  onSort: (sort: SortOrder) => void;
  children?: ReactNode;
};

/** The head of a column that can be sorted. The first click sorts ascending, the next one descending. */
function SortHead({ by, label, says, sort, onSort, children }: SortHeadProps) {
  const up = sort === by;
  const down = sort === `-${by}`;
  return (
    <th scope="col" aria-sort={up ? 'ascending' : down ? 'descending' : undefined} className={styles[by]}>
      <div className={styles.labels}>
        {children}
        <button type="button" className={styles.sort} title={says} onClick={() => onSort(up ? `-${by}` : by)}>
          {label}
          <span className={up || down ? styles.mark : styles.offer}>
            <Icon of={up ? ArrowUp : down ? ArrowDown : ArrowUpDown} size={14} />
          </span>
        </button>
      </div>
    </th>
  );
}
