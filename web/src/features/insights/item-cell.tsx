import { paths } from '../../paths.ts';
import { Link } from '../../ui/link.tsx';
import { Picture } from '../../ui/picture.tsx';
import styles from './item-cell.module.css';

type ItemCellProps = { item: { id: string; name: string; supplierName: string; imageUrl: string } };

/** An item in a table, linked to its page. */
export function ItemCell({ item }: ItemCellProps) {
  return (
    <div className={styles.item}>
      <Picture src={item.imageUrl} alt="" width={28} height={36} className={styles.picture} />
      <div className={styles.texts}>
        <Link to={paths.item(item.id)} className={styles.name}>
          <bdi>{item.name}</bdi>
        </Link>
        <bdi className={styles.supplier}>{item.supplierName}</bdi>
      </div>
    </div>
  );
}
