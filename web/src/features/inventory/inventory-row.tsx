import type { Item } from '@perfume/domain/items';
import { stockState } from '@perfume/domain/stock-level';
import { ChevronDown } from 'lucide-react';
import { memo } from 'react';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/form/checkbox.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Picture } from '../../ui/picture.tsx';
import { useWords } from '../../words/words.tsx';
import { pressOnce } from '../ledger/press-once.ts';
import { signed } from '../ledger/signed.ts';
import type { Column } from './columns/columns.ts';
import { Available, ItemCell, ItemFacts } from './columns/item-cell.tsx';
import styles from './inventory-row.module.css';

/**
 * `narrow`: a phone shows only the spec's two columns, the item and its stock; of other columns, one line with the name. `selecting`: in a narrow list, checkboxes
 * replace the pictures. `past`: the rows show the stock at an earlier time, so they are read-only.
 */
export type Layout = {
  narrow: boolean;
  selecting: boolean;
  past: boolean;
  columns: readonly Column[];
  /** Whether the columns are those of the spec. */
  isDefault: boolean;
};

/** What the person may do with the items. */
type Allowed = { canMove: boolean; canChange: boolean };

type RowActions = {
  onSelect: (index: number, item: Item, on: boolean, shift: boolean) => void;
  onDeliver: (item: Item) => void;
  /** Opens the panel to deliver several, receive or count. */
  onStock: (item: Item, button: HTMLElement) => void;
  onDelete: (item: Item) => void;
};

type RowProps = Layout & Allowed & RowActions & { index: number; item: Item; selected: boolean };

/**
 * The row of one item. `data-control` names its focusable controls for `useRowKeys`. The link is a plain `<a>` whose
 * clicks the table handles: forty router links would all re-render with every letter of a search.
 */
export const InventoryRow = memo(function InventoryRow(props: RowProps) {
  const { index, item, selected, narrow, past, columns } = props;
  return (
    <tr
      aria-rowindex={index + 2}
      data-row={index}
      data-id={item.id}
      className={selected && !past ? styles.selected : styles.row}
    >
      {!narrow && !past && (
        <td className={styles.select}>
          <SelectBox {...props} />
        </td>
      )}
      {(narrow ? narrowColumns : columns).map((column) => {
        if (column === 'name') return <NameCell key={column} {...props} />;
        if (column === 'update') return <UpdateCell key={column} {...props} />;
        return <ItemCell key={column} column={column} item={item} />;
      })}
    </tr>
  );
});

const narrowColumns: readonly Column[] = ['name', 'update'];

function NameCell(props: RowProps) {
  const { item, narrow, selecting, past, columns, isDefault } = props;
  const hasFacts = narrow && !isDefault;
  return (
    <th scope="row">
      <div className={styles.who}>
        {narrow && selecting && !past ? (
          <SelectBox {...props} />
        ) : (
          <Picture src={item.imageUrl} alt="" width={40} height={50} className={styles.picture} />
        )}
        <div className={styles.text} data-facts={hasFacts || undefined}>
          {past ? (
            <bdi className={styles.nameThen}>{item.name}</bdi>
          ) : (
            <a href={paths.item(item.id)} className={styles.name} data-control="open">
              <bdi>{item.name}</bdi>
            </a>
          )}
          {narrow && <Stock item={item} />}
          {hasFacts && <ItemFacts columns={columns} item={item} />}
        </div>
      </div>
    </th>
  );
}

function UpdateCell(props: RowProps) {
  const { item, past, canMove, canChange, onDelete } = props;
  const { say } = useWords();
  return (
    <td className={styles.update}>
      {past ? (
        <a
          href={paths.item(item.id)}
          className={styles.today}
          data-control="open"
          aria-label={say('timeMachine.seeNamed', { name: item.name })}
        >
          {say('timeMachine.see')}
        </a>
      ) : (
        <div className={styles.actions}>
          {canMove && <StockButtons {...props} />}
          {canChange && (
            <Button
              size="s"
              look="danger"
              className={styles.delete}
              data-control="delete"
              aria-label={say('inventory.deleteNamed', { name: item.name })}
              onClick={() => onDelete(item)}
            >
              {say('inventory.delete')}
            </Button>
          )}
        </div>
      )}
    </td>
  );
}

/** Two halves of one button: deliver one unit, or choose what to do. */
function StockButtons({ item, onDeliver, onStock }: RowProps) {
  const { say, locale } = useWords();
  const { name } = item;
  return (
    <div className={styles.stockButtons} data-empty={item.quantity <= 0 || undefined}>
      <button
        type="button"
        className={styles.deliver}
        data-control="deliver"
        title={say('stock.deliverOne')}
        aria-label={say('stock.deliverOneNamed', { name })}
        onKeyDown={pressOnce}
        onClick={() => onDeliver(item)}
      >
        {signed(-1, locale)}
      </button>
      <button
        type="button"
        className={styles.more}
        data-control="stock"
        title={say('stock.changeTitle')}
        aria-label={say('stock.changeNamed', { name })}
        aria-haspopup="dialog"
        onClick={({ currentTarget }) => onStock(item, currentTarget)}
      >
        <Icon of={ChevronDown} size={18} />
      </button>
    </div>
  );
}

function SelectBox({ index, item, selected, onSelect }: RowProps) {
  const { say } = useWords();
  return (
    <Checkbox
      hideLabel
      label={say('inventory.selectNamed', { name: item.name })}
      checked={selected}
      data-control="select"
      onChange={({ target, nativeEvent }) =>
        onSelect(index, item, target.checked, (nativeEvent as MouseEvent).shiftKey === true)
      }
    />
  );
}

/** The quantity in a narrow list, shown below the name. The words 'Low stock' precede it if it is low. */
function Stock({ item }: { item: Item }) {
  const { say } = useWords();
  const state = stockState(item.quantity, item.lowAt);
  return (
    <div className={styles.stock} data-state={state}>
      <Available item={item}>
        {state === 'low' && (
          <>
            <span className={styles.low}>{say('badge.low')}</span>{' '}
          </>
        )}
      </Available>
    </div>
  );
}

/** Stands in for a row that is not loaded. The table reuses a few keys for placeholders, so fast scrolling is cheap. */
export const RowPlaceholder = memo(function RowPlaceholder({ index, columns }: { index: number; columns: number }) {
  return (
    <tr aria-rowindex={index + 2} aria-busy="true" className={styles.coming}>
      <td colSpan={columns} />
    </tr>
  );
});
