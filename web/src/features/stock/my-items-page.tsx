import { EmptyShelf } from '../../ui/empty-shelf.tsx';
import { useWords } from '../../words/words.tsx';
import { InventoryList } from './inventory-list.tsx';

export function MyItemsPage() {
  const { say } = useWords();
  return (
    <InventoryList
      shelf="mine"
      heading={say('inventory.mine')}
      empty={<EmptyShelf text={say('inventory.mineEmpty')} />}
    />
  );
}
