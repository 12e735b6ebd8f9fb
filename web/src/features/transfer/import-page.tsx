import { pathOf } from '@perfume/contract/page-paths';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiProblem } from '../../api/client.ts';
import { problemText } from '../../live/problem-text.ts';
import { undoWithToast } from '../../live/undo-with-toast.ts';
import { paths } from '../../paths.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Link } from '../../ui/link.tsx';
import { Progress } from '../../ui/progress.tsx';
import { useParams } from '../../ui/router.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { notify } from '../../ui/toast.ts';
import { when } from '../../words/when.ts';
import { useWords } from '../../words/words.tsx';
import { batchQuery } from '../history/history-query.ts';
import { batchAction } from '../history/undo-batch.ts';
import { OnlyFor } from '../items/only-for.tsx';
import { ImportChoices } from './import-choices.tsx';
import styles from './import-page.module.css';
import { ImportProblems } from './import-problems.tsx';
import { ImportSummary } from './import-summary.tsx';
import { fileFacts, stateText } from './import-texts.ts';
import { applyImport, cancelImport, importQuery, type WireImport } from './imports-query.ts';

/** The page at /dashboard/import/{id}: what a file holds, what importing it does, and how far it is. */
export function ImportPage() {
  return (
    <OnlyFor action="changeItems">
      <OneImport />
    </OnlyFor>
  );
}

function OneImport() {
  const words = useWords();
  const { say } = words;
  const { id = '' } = useParams(pathOf.importFile);
  const { data, error, isFetching, refetch } = useQuery(importQuery(id));
  if (!data && error && !isFetching) {
    const isGone = error instanceof ApiProblem && error.status === 404;
    return (
      <EmptyState alert text={isGone ? say('import.notFound') : problemText(error, words)}>
        {isGone ? (
          <LinkButton to={paths.imports}>{say('import.all')}</LinkButton>
        ) : (
          <Button onClick={() => void refetch()}>{say('retry')}</Button>
        )}
      </EmptyState>
    );
  }
  return (
    <section className={styles.page} aria-labelledby="import">
      <header>
        <Link to={paths.imports} className={styles.back}>
          {say('import.all')}
        </Link>
        <h1 id="import" className={styles.name}>
          <bdi>{data?.name ?? say('import.heading')}</bdi>
        </h1>
        {data && (
          <p className={styles.facts}>
            {fileFacts(data, words).map((fact) => (
              <span key={fact}>{fact}</span>
            ))}
            <span>{say('import.by', { name: data.by.name, when: when(Date.parse(data.at), Date.now(), words) })}</span>
          </p>
        )}
      </header>
      {data ? <Body one={data} /> : <Skeleton width="100%" height="20rem" />}
    </section>
  );
}

function Body({ one }: { one: WireImport }) {
  const words = useWords();
  const isNew = one.batch === null;
  return (
    <>
      {isNew && <ImportChoices key={one.id} one={one} />}
      {!isNew && (
        <section className={styles.part} aria-label={stateText(one, words)}>
          <State one={one} />
          <ImportSummary summary={one.summary} isDone />
        </section>
      )}
      <ImportProblems one={one} />
    </>
  );
}

/** How far the import is, and what can be done about it. */
function State({ one }: { one: WireImport }) {
  const words = useWords();
  const { say } = words;
  const { id, state, done, of } = one;
  const [isBusy, setBusy] = useState(false);

  async function run(send: (id: string) => Promise<unknown>, failed: 'import.notStarted' | 'import.notStopped') {
    setBusy(true);
    try {
      await send(id);
    } catch (problem) {
      notify({ kind: 'error', id, text: `${say(failed)} ${problemText(problem, words)}` });
    } finally {
      setBusy(false);
    }
  }

  if (state === 'running')
    return (
      <>
        <h2 aria-live="polite">{say('import.state.running')}</h2>
        <Progress label={say('import.state.running')} value={of === 0 ? 0 : done / of} />
        <p>{say('import.progress', { done, of })}</p>
        <p className={styles.hint}>{say('import.leave')}</p>
        <div className={styles.buttons}>
          <Button busy={isBusy} onClick={() => void run(cancelImport, 'import.notStopped')}>
            {say('import.stop')}
          </Button>
        </div>
      </>
    );
  return (
    <>
      <h2 aria-live="polite">{stateText(one, words)}</h2>
      {state === 'ready' && <p>{say('import.stopped', { done, of })}</p>}
      {state === 'failed' && <p role="alert">{say('import.broken', { done, of })}</p>}
      <div className={styles.buttons}>
        {state !== 'done' && (
          <Button look="primary" busy={isBusy} onClick={() => void run(applyImport, 'import.notStarted')}>
            {say(state === 'ready' ? 'import.continue' : 'import.again')}
          </Button>
        )}
        <Undo one={one} />
        <LinkButton to={paths.history} look="plain">
          {say('import.history')}
        </LinkButton>
        {state === 'done' && (
          <LinkButton to={paths.imports} look="plain">
            {say('import.another')}
          </LinkButton>
        )}
      </div>
    </>
  );
}

function Undo({ one: { batch, summary } }: { one: WireImport }) {
  const words = useWords();
  const [isBusy, setBusy] = useState(false);
  const { data } = useQuery({ ...batchQuery(batch ?? ''), enabled: batch !== null });
  if (batch === null || !data) return null;
  if (data.standing === 0) return <p>{words.say('import.state.undone')}</p>;

  async function undo(): Promise<void> {
    setBusy(true);
    const what = { kind: 'importMany', count: summary.add + summary.change } as const;
    await undoWithToast([batchAction(batch ?? '', what)], words);
    setBusy(false);
  }
  return (
    <Button busy={isBusy} onClick={() => void undo()}>
      {words.say('import.undo')}
    </Button>
  );
}
