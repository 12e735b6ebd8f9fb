import { pathOf } from '@perfume/contract/page-paths';
import { useQuery } from '@tanstack/react-query';
import { ArrowLeft, EllipsisVertical } from 'lucide-react';
import { useState } from 'react';
import { useBoot } from '../../api/boot.ts';
import { ApiProblem } from '../../api/client.ts';
import { useMay } from '../../live/may.ts';
import { problemText } from '../../live/problem-text.ts';
import { paths } from '../../paths.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button, IconButton, LinkButton } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Icon } from '../../ui/icon.tsx';
import { LoadingView } from '../../ui/loading-view.tsx';
import { Menu, MenuAction } from '../../ui/menu.tsx';
import { Progress } from '../../ui/progress.tsx';
import { useParams, useSearchParams } from '../../ui/router.tsx';
import { notify } from '../../ui/toast.ts';
import { useWords } from '../../words/words.tsx';
import { CountClosed } from './count-closed.tsx';
import { CountDesk } from './count-desk.tsx';
import styles from './count-page.module.css';
import { CountTabs } from './count-tabs.tsx';
import { type Count, countQuery, updateCount, useLiveCount } from './counts-query.ts';
import { isTooOld, outboxOf } from './entry-outbox.ts';
import { PostCount } from './post-count.tsx';
import { scopeText, shownName } from './scope-text.ts';
import { UnsentEntries } from './unsent-entries.tsx';

/** The page at /dashboard/counts/{id}. */
export function CountPage() {
  const { say } = useWords();
  const { id = '' } = useParams(pathOf.count);
  useLiveCount(id);
  const { data, error, isFetching, refetch } = useQuery(countQuery(id));
  if (data) return <CountView key={id} count={data} />;
  if (!error || isFetching) return <LoadingView text={say('Loading...')} stay={say('loading.stay')} />;
  const isUnknown = error instanceof ApiProblem && error.code === 'count_not_found';
  return (
    <EmptyState alert text={say(isUnknown ? 'counting.notFound' : 'counting.failed')}>
      {isUnknown ? (
        <LinkButton to={paths.counts}>{say('counting.back')}</LinkButton>
      ) : (
        <Button onClick={() => void refetch()}>{say('retry')}</Button>
      )}
    </EmptyState>
  );
}

function CountView({ count }: { count: Count }) {
  const [params, setParams] = useSearchParams();
  const itemId = params.get('item');
  const { say } = useWords();
  const outbox = outboxOf(useBoot().user?.id ?? '', count.id);
  const tooOld = outbox.useUnsent().filter(isTooOld);
  const may = useMay();
  const canCount = may('moveStock');
  const isOpen = count.state === 'open';

  function choose(next: string) {
    setParams(
      (now) => {
        now.set('item', next);
        return now;
      },
      { replace: true },
    );
    document.getElementById('desk')?.scrollIntoView({ block: 'start' });
  }

  return (
    <section className={styles.page} aria-labelledby="count">
      <Head count={count} />
      {isOpen && canCount && <CountDesk count={count} outbox={outbox} itemId={itemId} onChoose={choose} />}
      {!isOpen && <CountClosed count={count} outbox={outbox} />}
      {isOpen && (
        <UnsentEntries entries={tooOld} onDiscard={outbox.discard}>
          {say('counting.unsent.tooOld')}
        </UnsentEntries>
      )}
      {isOpen && canCount && <PostCount count={count} outbox={outbox} />}
      <CountTabs count={count} onChoose={choose} />
    </section>
  );
}

function Head({ count }: { count: Count }) {
  const words = useWords();
  const { say } = words;
  const may = useMay();
  const { figures, state } = count;
  const total = figures.counted + figures.uncounted;
  const text = say('counting.progress', { counted: figures.counted, total });
  return (
    <header className={styles.head}>
      <LinkButton to={paths.counts} look="plain" size="s" className={styles.back}>
        <Icon of={ArrowLeft} size={18} flips />
        {say('counting.back')}
      </LinkButton>
      <div className={styles.title}>
        <h1 id="count">
          <bdi>{count.name}</bdi>
        </h1>
        {state === 'open' && may('moveStock') && <CountMenu count={count} />}
      </div>
      <p className={styles.scope}>{scopeText(count, words)}</p>
      <div className={styles.progress}>
        {state === 'open' && <Progress label={text} value={total === 0 ? 1 : figures.counted / total} />}
        <p className={styles.figures}>
          <span>{state === 'open' ? text : say('counts.counted', { count: figures.counted })}</span>
          {figures.differing > 0 && <span>{say('counting.differing', { count: figures.differing })}</span>}
        </p>
      </div>
      {state === 'open' && <People count={count} />}
    </header>
  );
}

function People({ count: { people } }: { count: Count }) {
  const words = useWords();
  const { say } = words;
  const ownId = useBoot().user?.id;
  if (people.length === 0) return <p className={styles.people}>{say('counting.people.none')}</p>;
  return (
    <div className={styles.people}>
      <span>{say('counting.people')}</span>
      <ul>
        {people.map(({ by, itemName }) => (
          <li key={by.id}>
            <Badge tone={by.id === ownId ? 'plain' : 'good'}>
              {by.id === ownId
                ? say('counting.people.you', { item: itemName })
                : say('counting.people.at', { name: shownName(by, words), item: itemName })}
            </Badge>
          </li>
        ))}
      </ul>
    </div>
  );
}

function CountMenu({ count: { id } }: { count: Count }) {
  const words = useWords();
  const { say, dir } = words;
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);

  async function cancel() {
    setBusy(true);
    try {
      await updateCount(id, { state: 'cancelled' });
      notify({
        kind: 'success',
        id: 'count',
        text: say('counting.cancelled'),
        action: { text: say('undo'), run: () => void updateCount(id, { state: 'open' }) },
      });
    } catch (problem) {
      notify({ kind: 'error', id: 'count', text: `${say('counting.notCancelled')} ${problemText(problem, words)}` });
    }
    setBusy(false);
    setAsking(false);
  }

  return (
    <>
      <Menu
        dir={dir}
        trigger={
          <IconButton label={say('counting.menu')}>
            <Icon of={EllipsisVertical} />
          </IconButton>
        }
      >
        <MenuAction onSelect={() => setAsking(true)}>{say('counting.cancel')}</MenuAction>
      </Menu>
      {asking && (
        <Confirm
          title={say('counting.cancel.ask')}
          text={say('counting.cancel.text')}
          confirmLabel={say('counting.cancel')}
          cancelLabel={say('counting.cancel.keep')}
          busy={busy}
          onConfirm={() => void cancel()}
          onCancel={() => setAsking(false)}
        />
      )}
    </>
  );
}
