import type { WireEntry } from '@perfume/contract/history';
import { ArrowUp } from 'lucide-react';
import { useCallback, useRef, useState } from 'react';
import { problemText } from '../../live/problem-text.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { useNarrow } from '../../ui/windowed-table/use-narrow.ts';
import { useWords } from '../../words/words.tsx';
import type { HistoryFilters } from './history-filters.ts';
import styles from './history-list.module.css';
import { HistoryTable } from './history-table.tsx';
import { UndoDialog } from './undo-dialog.tsx';
import { type History, useHistory } from './use-history.ts';

type ListProps = {
  filters: HistoryFilters;
  label: string;
  /** Whether each row shows the name of its item. */
  named: boolean;
  /** Shown when there are no entries. */
  empty: { text: string; action?: React.ReactNode };
};

/** The entries that match the filters, newest first. */
export function HistoryList({ filters, label, named, empty }: ListProps) {
  const container = useRef<HTMLDivElement>(null);
  const narrow = useNarrow(container, WIDE_REM);
  // Returns false once the list is unmounted: leaving the page scrolls the window to the top, which must not count.
  const topInSight = useCallback(() => {
    const { top } = container.current?.getBoundingClientRect() ?? { top: Number.NEGATIVE_INFINITY };
    return top > -TOP_MAY_HIDE;
  }, []);
  const history = useHistory(filters, topInSight);
  const [undoing, setUndoing] = useState<{ entry: WireEntry; whole: boolean } | null>(null);
  const undo = useCallback((entry: WireEntry) => setUndoing({ entry, whole: false }), []);
  const undoAll = useCallback((entry: WireEntry) => setUndoing({ entry, whole: true }), []);

  return (
    <div ref={container} className={styles.list}>
      <NewEntriesButton
        history={history}
        onShow={() => container.current?.scrollIntoView({ block: 'start', behavior: 'instant' })}
      />
      {narrow === null || history.data === undefined ? (
        <FirstPageState history={history} />
      ) : history.entries.length === 0 ? (
        <EmptyState text={empty.text}>{empty.action}</EmptyState>
      ) : (
        <>
          <HistoryTable
            label={label}
            history={history}
            narrow={narrow}
            named={named}
            onUndo={undo}
            onUndoAll={undoAll}
          />
          <LoadMore history={history} />
        </>
      )}
      {undoing && <UndoDialog {...undoing} onClose={() => setUndoing(null)} />}
    </div>
  );
}

/** The list counts as scrolled to the top while fewer than this many pixels of it are hidden. */
const TOP_MAY_HIDE = 60;

function FirstPageState({ history }: { history: History }) {
  const words = useWords();
  const { say } = words;
  const { error, isFetching, refetch } = history;
  if (error && !isFetching) {
    return (
      <EmptyState text={say('history.failed')} alert>
        <p>{problemText(error, words)}</p>
        <Button onClick={() => void refetch()}>{say('retry')}</Button>
      </EmptyState>
    );
  }
  return (
    <div className={styles.waiting}>
      <Spinner large label={say('Loading...')} />
    </div>
  );
}

/** The button that loads the next page, for retries and for people who do not scroll. Scrolling loads it too. */
function LoadMore({ history }: { history: History }) {
  const { say } = useWords();
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = history;
  if (!hasNextPage) return <p className={styles.end}>{say('history.start')}</p>;
  return (
    <div className={styles.end}>
      {isFetchNextPageError && <p role="alert">{say('history.earlierFailed')}</p>}
      <Button size="s" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        {say(isFetchNextPageError ? 'retry' : 'history.earlier')}
      </Button>
    </div>
  );
}

/** The button that shows new entries. They do not appear by themselves while somebody reads further down. */
function NewEntriesButton({ history, onShow }: { history: History; onShow: () => void }) {
  const { say } = useWords();
  const { newCount: count, showNew } = history;
  return (
    <div role="status" className={styles.newEntries}>
      {count > 0 && (
        <Button
          size="s"
          className={styles.pill}
          onClick={() => {
            showNew();
            onShow();
          }}
        >
          <Icon of={ArrowUp} size={16} />
          {say('history.newEntries', { count })}
        </Button>
      )}
    </div>
  );
}

const WIDE_REM = 52;
