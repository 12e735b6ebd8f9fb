import { SlidersHorizontal } from 'lucide-react';
import { useState } from 'react';
import { ExportMenu } from '../../live/export-menu.tsx';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useMediaQuery } from '../../ui/media-query.ts';
import { useWords, type Words } from '../../words/words.tsx';
import { SaveView } from '../views/save-view.tsx';
import { HistoryFilterBar } from './history-filter-bar.tsx';
import { type HistoryFilters, historyParams, isFiltered, noFilters, useHistoryFilters } from './history-filters.ts';
import { HistoryList } from './history-list.tsx';
import styles from './history-page.module.css';

/** The page at /dashboard/history. */
export function HistoryPage() {
  const words = useWords();
  const { say } = words;
  const { filters, setFilters } = useHistoryFilters();
  // On phones the filters are behind a button, so that the entries come first.
  const isPhone = useMediaQuery('(max-width: 639px)');
  const [wantsFilters, setWantsFilters] = useState(() => isFiltered(filters));
  const showsFilters = !isPhone || wantsFilters;
  const empty = isFiltered(filters)
    ? {
        text: say('history.noMatches'),
        action: <Button onClick={() => setFilters(noFilters)}>{say('history.clear')}</Button>,
      }
    : { text: say('history.empty') };
  return (
    <section className={styles.page} aria-labelledby="history">
      <header className={styles.head}>
        <h1 id="history">{say('history.heading')}</h1>
        <div className={styles.tools}>
          {isPhone && (
            <Button size="s" aria-expanded={showsFilters} onClick={() => setWantsFilters(!showsFilters)}>
              <Icon of={SlidersHorizontal} size={18} />
              {say('history.filters')}
            </Button>
          )}
          {isFiltered(filters) && (
            <Button look="plain" size="s" onClick={() => setFilters(noFilters)}>
              {say('history.clear')}
            </Button>
          )}
          <SaveView page="history" suggestion={nameOf(filters, words)} size="s" />
          <ExportMenu
            key={JSON.stringify(filters)}
            name={say('history.heading')}
            path="/exports/history"
            query={historyParams(filters)}
            size="s"
          />
        </div>
        <p className={styles.lead}>{say('history.lead')}</p>
      </header>
      {showsFilters && <HistoryFilterBar filters={filters} setFilters={setFilters} />}
      <HistoryList key={JSON.stringify(filters)} filters={filters} label={say('history.heading')} named empty={empty} />
    </section>
  );
}

/** Returns a name for the filters, such as “Corrected: theft”. */
function nameOf({ kind, reason }: HistoryFilters, { say }: Words): string {
  if (kind === null) return say('history.heading');
  const name = say(`history.kind.${kind}`);
  return reason === null ? name : say('history.kindForReason', { kind: name, reason: say(`reason.${reason}`) });
}
