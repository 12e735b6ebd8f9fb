import type { HistoryKind } from '@perfume/contract/history';
import type { Item } from '@perfume/domain/items';
import { useMemo, useState } from 'react';
import { paths } from '../../paths.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { useWords } from '../../words/words.tsx';
import { KindFilter } from './history-filter-bar.tsx';
import { noFilters } from './history-filters.ts';
import { HistoryList } from './history-list.tsx';
import styles from './item-history.module.css';

/** The history of one item, on the item's page. */
export function ItemHistory({ item }: { item: Item }) {
  const { say } = useWords();
  const [kind, setKind] = useState<HistoryKind | null>(null);
  const filters = useMemo(() => ({ ...noFilters, item: item.id, kind }), [item.id, kind]);
  const empty = {
    text: say('history.noMatches'),
    action: <Button onClick={() => setKind(null)}>{say('history.clear')}</Button>,
  };
  return (
    <section className={styles.section} aria-labelledby="item-history">
      <header className={styles.head}>
        <h2 id="item-history">{say('history.heading')}</h2>
        <LinkButton to={`${paths.history}?item=${item.id}`} look="plain" size="s">
          {say('history.full')}
        </LinkButton>
        <div className={styles.filter}>
          <KindFilter kind={kind} onPick={setKind} />
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
