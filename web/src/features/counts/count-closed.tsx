import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useMay, useMayUndo } from '../../live/may.ts';
import { problemText } from '../../live/problem-text.ts';
import { undoWithToast } from '../../live/undo-with-toast.ts';
import { paths } from '../../paths.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Progress } from '../../ui/progress.tsx';
import { notify } from '../../ui/toast.ts';
import { when } from '../../words/when.ts';
import { useWords } from '../../words/words.tsx';
import { batchQuery } from '../history/history-query.ts';
import { batchAction } from '../history/undo-batch.ts';
import styles from './count-closed.module.css';
import { type Count, updateCount } from './counts-query.ts';
import { type EntryOutbox, isTooOld } from './entry-outbox.ts';
import { postDifferences } from './post-differences.ts';
import { shownName } from './scope-text.ts';
import { UnsentEntries } from './unsent-entries.tsx';

/** What became of a session that is no longer open, and what can still be done. */
export function CountClosed({ count, outbox }: { count: Count; outbox: EntryOutbox }) {
  const words = useWords();
  const { say } = words;
  const { id, state, batch, closedBy, closedAt } = count;
  const may = useMay();
  const unsent = outbox.useUnsent();
  const [busy, setBusy] = useState(false);
  const by = closedBy &&
    closedAt && { name: shownName(closedBy, words), when: when(Date.parse(closedAt), Date.now(), words) };

  async function run(work: () => Promise<unknown>) {
    setBusy(true);
    try {
      await work();
    } catch (problem) {
      notify({ kind: 'error', id: 'count', text: problemText(problem, words) });
    }
    setBusy(false);
  }

  return (
    <section className={styles.closed}>
      {state === 'cancelled' && (
        <>
          <p>{say('counting.isCancelled')}</p>
          {by && <p className={styles.by}>{say('counts.cancelledBy', by)}</p>}
          {may('moveStock') && (
            <Button busy={busy} onClick={() => void run(() => updateCount(id, { state: 'open' }))}>
              {say('counting.reopen')}
            </Button>
          )}
        </>
      )}
      {state === 'posting' && batch !== null && (
        <>
          <p role="status">{say('counting.post.interrupted')}</p>
          <Progress label={say('counts.isPosting')} />
          {by && <p className={styles.by}>{say('counts.postedBy', by)}</p>}
          {may('moveStock') && (
            <Button
              look="primary"
              busy={busy}
              onClick={() => void run(() => postDifferences(id, { batch }, words, () => {}))}
            >
              {say('counting.post.continue')}
            </Button>
          )}
        </>
      )}
      {state === 'posted' && (
        <>
          {by && <p>{say('counts.postedBy', by)}</p>}
          {batch !== null && count.figures.differing > 0 && <Posted batch={batch} byId={closedBy?.id ?? null} />}
        </>
      )}
      <UnsentEntries entries={unsent} onDiscard={outbox.discard}>
        {say('counting.unsent.closed')}{' '}
        {state === 'cancelled' && !unsent.every(isTooOld) && say('counting.unsent.reopen')}
      </UnsentEntries>
    </section>
  );
}

/** The posting in the history, which can be undone as a whole. */
function Posted({ batch, byId }: { batch: string; byId: string | null }) {
  const words = useWords();
  const { say } = words;
  const mayUndo = useMayUndo();
  const { data } = useQuery(batchQuery(batch));
  const [busy, setBusy] = useState(false);

  async function undo(count: number) {
    setBusy(true);
    await undoWithToast([batchAction(batch, { kind: 'correctMany', count })], words, { inHistory: { redoes: false } });
    setBusy(false);
  }

  return (
    <div className={styles.actions}>
      <LinkButton to={paths.history}>{say('counting.history')}</LinkButton>
      {data && data.standing > 0 && mayUndo({ byId, movesStock: true }) && (
        <Button busy={busy} onClick={() => void undo(data.standing)}>
          {say('counting.undoPost')}
        </Button>
      )}
      {data?.standing === 0 && <p className={styles.by}>{say('counting.isUndone')}</p>}
    </div>
  );
}
