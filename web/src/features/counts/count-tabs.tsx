import type { LineFilter } from '@perfume/contract/counts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { retryUntilAnswered } from '../../api/retry.ts';
import { useMay } from '../../live/may.ts';
import { problemText } from '../../live/problem-text.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { notify } from '../../ui/toast.ts';
import { useWords } from '../../words/words.tsx';
import { CountLineRow } from './count-line-row.tsx';
import styles from './count-tabs.module.css';
import { type Count, fetchLines, linesQuery, setMany } from './counts-query.ts';

type TabsProps = { count: Count; onChoose: (itemId: string) => void };

/** The items of a session: those that are left, those to decide about, the differences, and all that is counted. */
export function CountTabs({ count, onChoose }: TabsProps) {
  const { say, dir } = useWords();
  const { uncounted, toCheck, differing, counted } = count.figures;
  const lists = (count.state === 'open'
    ? [
        ['uncounted', say('counting.tab.uncounted', { count: uncounted })],
        ...(toCheck > 0 ? [['check', say('counting.tab.check', { count: toCheck })] as const] : []),
        ['differences', say('counting.tab.differences', { count: differing })],
        ['counted', say('counting.tab.counted', { count: counted })],
      ]
    : [
        ['differences', say('counting.tab.differences', { count: differing })],
        ['refused', say('counting.tab.refused')],
        ['counted', say('counting.tab.counted', { count: counted })],
      ]) satisfies readonly (readonly [LineFilter, string])[] as readonly (readonly [LineFilter, string])[];
  return (
    <Tabs
      label={say('counting.tabs')}
      dir={dir}
      tabs={lists.map(([show, title]) => ({
        id: show,
        title,
        content: <Lines count={count} show={show} onChoose={onChoose} />,
      }))}
    />
  );
}

function Lines({ count, show, onChoose }: TabsProps & { show: LineFilter }) {
  const { say } = useWords();
  const { data, error, isFetching, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    linesQuery(count.id, show),
  );
  const may = useMay();
  const lines = data?.pages.flatMap((page) => page.lines);
  if (!lines) {
    if (!error || isFetching) return <Skeleton width="100%" height="8rem" />;
    return (
      <EmptyState alert text={say('counting.list.failed')}>
        <Button onClick={() => void refetch()}>{say('retry')}</Button>
      </EmptyState>
    );
  }
  if (lines.length === 0) return <EmptyState text={say(`counting.empty.${show}`)} />;
  return (
    <>
      {show === 'uncounted' && may('moveStock') && <ZeroAll count={count} />}
      <ul className={styles.list}>
        {lines.map((line) => (
          <CountLineRow key={line.item.id} count={count} line={line} show={show} onChoose={onChoose} />
        ))}
      </ul>
      {hasNextPage && (
        <Button className={styles.more} busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {say('counting.list.more')}
        </Button>
      )}
    </>
  );
}

const ITEMS_AT_ONCE = 100;

/** Counts everything that is left as 0, after a question. */
function ZeroAll({ count }: { count: Count }) {
  const words = useWords();
  const { say } = words;
  const [asking, setAsking] = useState(false);
  const [done, setDone] = useState<number | null>(null);
  const { uncounted } = count.figures;

  async function run() {
    const stop = new AbortController();
    setDone(0);
    try {
      // Items that were refused stay uncounted: they are skipped by going on after them.
      for (let cursor: string | null = null, sum = 0; ; ) {
        const page: Awaited<ReturnType<typeof fetchLines>> = await retryUntilAnswered((signal) =>
          fetchLines(count.id, 'uncounted', cursor, ITEMS_AT_ONCE, AbortSignal.any([signal, stop.signal])),
        );
        const ids = page.lines.map(({ item }) => item.id);
        if (ids.length > 0) await setMany(count.id, ids, 0);
        sum += ids.length;
        setDone(sum);
        if (page.next === null) break;
        cursor = page.next;
      }
    } catch (problem) {
      notify({ kind: 'error', id: 'count', text: `${say('counting.zeroAll.failed')} ${problemText(problem, words)}` });
    }
    setDone(null);
    setAsking(false);
  }

  return (
    <div className={styles.tools}>
      <Button size="s" onClick={() => setAsking(true)}>
        {say('counting.zeroAll')}
      </Button>
      {asking && (
        <Confirm
          title={say('counting.zeroAll.ask', { count: uncounted })}
          text={done === null ? say('counting.zeroAll.text') : say('counting.zeroAll.working', { count: done })}
          confirmLabel={say('counting.zeroAll')}
          cancelLabel={say('counting.cancel.keep')}
          busy={done !== null}
          onConfirm={() => void run()}
          onCancel={() => setAsking(false)}
        />
      )}
    </div>
  );
}
