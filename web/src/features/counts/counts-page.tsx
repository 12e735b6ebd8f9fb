import type { WireCount } from '@perfume/contract/counts';
import { useQueries, useQuery } from '@tanstack/react-query';
import { useBoot } from '../../api/boot.ts';
import { useMay } from '../../live/may.ts';
import { paths } from '../../paths.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Link } from '../../ui/link.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { when } from '../../words/when.ts';
import { useWords } from '../../words/words.tsx';
import styles from './counts-page.module.css';
import { countQuery, countsQuery, useLiveCount } from './counts-query.ts';
import { unsentByCount, unsentTotal } from './entry-outbox.ts';
import { scopeText, shownName } from './scope-text.ts';
import { StartCount } from './start-count.tsx';

/** The page at /dashboard/counts: open count sessions, recent ones, and a form to start one. */
export function CountsPage() {
  const { say } = useWords();
  useLiveCount(null);
  const may = useMay();
  return (
    <section className={styles.page} aria-labelledby="counts">
      <header>
        <h1 id="counts">{say('counts.heading')}</h1>
        <p className={styles.lead}>{say('counts.lead')}</p>
      </header>
      <div className={styles.columns}>
        <div className={styles.open}>
          <Unsent />
          <Sessions state="open" heading={say('counts.open')} />
          <Sessions state="posting" heading={say('counts.isPosting')} />
        </div>
        {may('moveStock') && (
          <div className={styles.start}>
            <StartCount />
          </div>
        )}
        <div className={styles.recent}>
          <Sessions state="posted" heading={say('counts.recent')} />
        </div>
      </div>
    </section>
  );
}

/** The sessions, open or not, in which this person counted something on this device that is not sent. */
function Unsent() {
  const { say } = useWords();
  // Renders again when something was sent.
  unsentTotal.use();
  const unsent = unsentByCount(useBoot().user?.id ?? '');
  const counts = useQueries({ queries: [...unsent.keys()].map(countQuery) }).flatMap(({ data }) => data ?? []);
  if (counts.length === 0) return null;
  return (
    <section className={styles.sessions}>
      <h2>{say('counts.unsent')}</h2>
      <ul className={styles.list}>
        {counts.map((count) => (
          <SessionRow key={count.id} count={count} unsent={unsent.get(count.id)} />
        ))}
      </ul>
    </section>
  );
}

function Sessions({ state, heading }: { state: WireCount['state']; heading: string }) {
  const { say } = useWords();
  const { data, error, isFetching, refetch } = useQuery(countsQuery(state));
  if (state !== 'open' && !data?.length) return null;
  return (
    <section className={styles.sessions}>
      <h2>{heading}</h2>
      {!data && (!error || isFetching) && <Skeleton width="100%" height="6rem" />}
      {!data && error && !isFetching && (
        <EmptyState alert text={say('counts.failed')}>
          <Button onClick={() => void refetch()}>{say('retry')}</Button>
        </EmptyState>
      )}
      {data?.length === 0 && <p className={styles.none}>{say('counts.open.none')}</p>}
      {data && data.length > 0 && (
        <ul className={styles.list}>
          {data.map((count) => (
            <SessionRow key={count.id} count={count} />
          ))}
        </ul>
      )}
    </section>
  );
}

function SessionRow({ count, unsent = 0 }: { count: WireCount; unsent?: number | undefined }) {
  const words = useWords();
  const { say } = words;
  const { id, name, state, openedBy, openedAt, closedBy, closedAt } = count;
  const isClosed = (state === 'posted' || state === 'cancelled') && closedBy && closedAt;
  return (
    <li className={styles.session}>
      <Link to={paths.count(id)} className={styles.name}>
        <bdi>{name}</bdi>
      </Link>
      <p className={styles.facts}>
        <span>{scopeText(count, words)}</span>
        <span>{say('counts.counted', { count: count.counted })}</span>
        <span>
          {isClosed
            ? say(state === 'posted' ? 'counts.postedBy' : 'counts.cancelledBy', {
                name: shownName(closedBy, words),
                when: when(Date.parse(closedAt), Date.now(), words),
              })
            : say('counts.openedBy', {
                name: shownName(openedBy, words),
                when: when(Date.parse(openedAt), Date.now(), words),
              })}
        </span>
        {unsent > 0 && <Badge tone="warn">{say('counts.unsent.entries', { count: unsent })}</Badge>}
        {state === 'posting' && <Badge tone="warn">{say('counts.isPosting')}</Badge>}
      </p>
    </li>
  );
}
