import type { Item } from '@perfume/domain/items';
import { useMemo, useState } from 'react';
import { paths } from '../../paths.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { useWords } from '../../words/words.tsx';
import { KindFilter, type Kinds } from './history-filter-bar.tsx';
import { noFilters } from './history-filters.ts';
import { HistoryList } from './history-list.tsx';
import styles from './item-history.module.css';

/** The history of one item, on the item's page. */
export function ItemHistory({ item }: { item: Item }) {
  const { say } = useWords();
  const [kinds, setKinds] = useState<Kinds>(noFilters);
  const filters = useMemo(() => ({ ...noFilters, ...kinds, item: item.id }), [item.id, kinds]);
  const empty = {
    text: say('history.noMatches'),
    action: <Button onClick={() => setKinds(noFilters)}>{say('history.clear')}</Button>,
  };
  return (
    <section className={styles.section} aria-labelledby="item-history">
      <header className={styles.head}>
        <h2 id="item-history">{say('history.heading')}</h2>
        <LinkButton to={`${paths.history}?item=${item.id}`} look="plain" size="s">
          {say('history.full')}
        </LinkButton>
        <div className={styles.filter}>
          <KindFilter filters={kinds} onPick={setKinds} />
        </div>
      </header>
      <HistoryList
        key={JSON.stringify(filters)}
        filters={filters}
        label={say('history.ofItem', { name: item.name })}
        named={false}
        empty={empty}
      />
    </section>
  );
}
