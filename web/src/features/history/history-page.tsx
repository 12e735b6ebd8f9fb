import { Download, SlidersHorizontal } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useMediaQuery } from '../../ui/media-query.ts';
import { Progress } from '../../ui/progress.tsx';
import { useWords } from '../../words/words.tsx';
import { useHistoryExport } from './history-export.ts';
import { HistoryFilters } from './history-filters.tsx';
import { HistoryList } from './history-list.tsx';
import styles from './history-page.module.css';
import { everything, type HistoryQuestion, isFiltered, useHistoryQuestion } from './history-question.ts';

/** /dashboard/history: the ledger, for everybody to read. */
export function HistoryPage() {
  const { say } = useWords();
  const { question, ask } = useHistoryQuestion();
  // On a phone they would stand between the heading and what one came to read.
  const isPhone = useMediaQuery('(max-width: 639px)');
  const [wantsFilters, setWantsFilters] = useState(() => isFiltered(question));
  const showsFilters = !isPhone || wantsFilters;
  const empty = isFiltered(question)
    ? {
        text: say('history.nothing'),
        action: <Button onClick={() => ask(everything)}>{say('history.clear')}</Button>,
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
          {isFiltered(question) && (
            <Button look="plain" size="s" onClick={() => ask(everything)}>
              {say('history.clear')}
            </Button>
          )}
          <Export key={JSON.stringify(question)} question={question} />
        </div>
        <p className={styles.lead}>{say('history.lead')}</p>
      </header>
      {showsFilters && <HistoryFilters question={question} ask={ask} />}
      <HistoryList
        key={JSON.stringify(question)}
        question={question}
        label={say('history.heading')}
        named
        empty={empty}
      />
    </section>
  );
}

function Export({ question }: { question: HistoryQuestion }) {
  const { say } = useWords();
  const { count, start, cancel } = useHistoryExport(question);
  if (count === null) {
    return (
      <Button size="s" onClick={() => void start()}>
        <Icon of={Download} size={18} />
        {say('history.export')}
      </Button>
    );
  }
  const text = say('history.exporting', { count });
  return (
    <div className={styles.exporting}>
      <p role="status">{text}</p>
      <Progress label={text} />
      <Button size="s" look="plain" onClick={cancel}>
        {say('history.cancel')}
      </Button>
    </div>
  );
}
