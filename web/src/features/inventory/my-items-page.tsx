import { useMay } from '../../live/may.ts';
import { paths } from '../../paths.ts';
import { LinkButton } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { useWords } from '../../words/words.tsx';
import { InventoryList } from './inventory-list.tsx';

export function MyItemsPage() {
  const { say } = useWords();
  const may = useMay();
  return (
    <InventoryList
      scope="mine"
      heading={say('inventory.mine')}
      empty={
        <EmptyState text={say('inventory.mineEmpty')}>
          {may('changeItems') && (
            <LinkButton to={paths.addItem} look="primary">
              {say('nav.addItem')}
            </LinkButton>
          )}
        </EmptyState>
      }
    />
  );
}
