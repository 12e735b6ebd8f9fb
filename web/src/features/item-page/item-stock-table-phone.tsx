import type { Item } from '@perfume/domain/items';
import { useMay } from '../../live/may.ts';
import { Picture } from '../../ui/picture.tsx';
import { useWords } from '../../words/words.tsx';
import { ItemCount, SaleStatus } from './item-count.tsx';
import { ItemName } from './item-name.tsx';
import { ItemPrice } from './item-price.tsx';
import styles from './item-stock-table-phone.module.css';
import { StockControls } from './stock-controls.tsx';

/** The item's table on phones: picture and quantity on top, the other values as rows below. */
export function ItemStockTablePhone({ item }: { item: Item }) {
  const { say } = useWords();
  const may = useMay();
  return (
    <div>
      <div className={styles.top}>
        <Picture src={item.imageUrl} alt="" width={144} height={180} eager className={styles.picture} />
        <ItemCount item={item} />
      </div>
      <table className={styles.table} aria-label={say('stock.caption', { name: item.name })}>
        <tbody>
          <tr>
            <th scope="row">{say('stock.product')}</th>
            <td>
              <ItemName item={item} />
            </td>
          </tr>
          <tr>
            <th scope="row">{say('stock.price')}</th>
            <td>
              <ItemPrice item={item} />
            </td>
          </tr>
          <tr>
            <th scope="row">{say('stock.dealer')}</th>
            <td>
              <bdi>{item.supplierName}</bdi>
            </td>
          </tr>
          <tr>
            <th scope="row">{say('stock.manage')}</th>
            <td>
              <SaleStatus item={item} />
            </td>
          </tr>
          <tr className={styles.action}>
            <td colSpan={2}>{may('moveStock') && <StockControls item={item} layout="phone" />}</td>
          </tr>
        </tbody>
      </table>
    </div>
  );
}
