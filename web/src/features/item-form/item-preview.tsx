import { checkTypedPrice, checkTypedQuantity, type Item } from '@perfume/domain/items';
import { LOW_STOCK_AT } from '@perfume/domain/stock-level';
import { useWords } from '../../words/words.tsx';
import { ItemCard } from '../items/item-card.tsx';
import { fieldError, type ItemTexts } from './item-fields.ts';
import styles from './item-preview.module.css';

const nothing = () => {};

/** A preview of the item's card on the home page. It is inert: nothing in it can be clicked. */
export function ItemPreview({ texts }: { texts: ItemTexts }) {
  const { say } = useWords();
  const price = checkTypedPrice(texts.price);
  const quantity = checkTypedQuantity(texts.quantity);
  const imageUrl = texts.imageUrl.trim();
  const item: Item = {
    id: '',
    name: texts.name.trim() || say('itemForm.name'),
    priceCents: price.ok ? price.value : 0,
    quantity: quantity.ok ? quantity.value : 0,
    imageUrl: fieldError('imageUrl', imageUrl) ? '' : imageUrl,
    description: texts.description.trim() || say('preview.description'),
    supplierName: texts.supplierName.trim() || say('itemForm.supplierName'),
    email: '',
    version: 0,
    createdAt: 0,
    updatedAt: 0,
    reorderPoint: null,
    lowAt: LOW_STOCK_AT,
    sku: null,
    barcodes: [],
  };
  return (
    <div className={styles.preview}>
      <p className={styles.heading}>{say('preview.heading')}</p>
      <div className={styles.card} inert>
        <ItemCard item={item} onOpen={nothing} onNear={nothing} />
      </div>
    </div>
  );
}
