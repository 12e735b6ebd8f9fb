import type { Item } from '@perfume/domain/items';
import { useMay } from '../../live/may.ts';
import { Picture } from '../../ui/picture.tsx';
import { useWords } from '../../words/words.tsx';
import { ItemCount, SaleStatus } from './item-count.tsx';
import { ItemName } from './item-name.tsx';
import { ItemPrice } from './item-price.tsx';
import styles from './item-stock-table.module.css';
import { StockControls } from './stock-controls.tsx';

/** The item's table on wide screens: one row with four columns. */
export function ItemStockTable({ item }: { item: Item }) {
  const { say } = useWords();
  const may = useMay();
  return (
    <table className={styles.table} aria-label={say('stock.caption', { name: item.name })}>
      <thead>
        <tr>
          <th scope="col">{say('stock.product')}</th>
          <th scope="col">{say('stock.price')}</th>
          <th scope="col">{say('stock.dealer')}</th>
          <th scope="col">{say('stock.manage')}</th>
        </tr>
      </thead>
      <tbody>
        <tr>
          <td>
            <div className={styles.product}>
              <Picture src={item.imageUrl} alt="" width={200} height={250} eager className={styles.picture} />
              <ItemName item={item} />
            </div>
          </td>
          <td>
            <ItemPrice item={item} />
          </td>
          <td>
            <p className={styles.dealer}>
              <bdi>{item.supplierName}</bdi>
            </p>
          </td>
          <td>
            <div className={styles.manage}>
              <ItemCount item={item} />
              <SaleStatus item={item} />
              {may('moveStock') && <StockControls item={item} layout="desktop" />}
            </div>
          </td>
        </tr>
      </tbody>
    </table>
  );
}
