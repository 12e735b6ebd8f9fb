import { type CountReason, countReasons } from '@perfume/domain/ledger';
import { useState } from 'react';
import { ApiProblem } from '../../api/client.ts';
import { newIdempotencyKey } from '../../api/retry.ts';
import { problemText } from '../../live/problem-text.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { TextField } from '../../ui/form/field.tsx';
import { SelectFilter } from '../../ui/form/filter-field.tsx';
import { notify } from '../../ui/toast.ts';
import { useWords, type Words } from '../../words/words.tsx';
import type { Count } from './counts-query.ts';
import { type EntryOutbox, isTooOld } from './entry-outbox.ts';
import styles from './post-count.module.css';
import { postDifferences } from './post-differences.ts';

/** The button that posts the differences, and the question before it. */
export function PostCount({ count, outbox }: { count: Count; outbox: EntryOutbox }) {
  const { say } = useWords();
  const [asking, setAsking] = useState(false);
  const unsent = outbox.useUnsent().filter((entry) => !isTooOld(entry));
  const { toCheck, differing, counted, uncounted } = count.figures;
  if (counted === 0) return null;
  return (
    <div className={styles.bar}>
      {toCheck > 0 && <p>{say('counting.post.toCheck', { count: toCheck })}</p>}
      {unsent.length > 0 && <p>{say('counting.post.unsent')}</p>}
      <Button
        look={uncounted === 0 ? 'primary' : 'quiet'}
        disabled={toCheck > 0 || unsent.length > 0}
        onClick={() => setAsking(true)}
      >
        {say(differing === 0 ? 'counting.post.none' : 'counting.post')}
      </Button>
      {asking && <Question count={count} onClose={() => setAsking(false)} />}
    </div>
  );
}

function Question({ count, onClose }: { count: Count; onClose: () => void }) {
  const words = useWords();
  const { say, number, money } = words;
  const [reason, setReason] = useState<CountReason>('miscount');
  const [note, setNote] = useState('');
  const [left, setLeft] = useState<number | null>(null);
  // One batch for all attempts: a repeated request continues the same posting.
  const [batch] = useState(newIdempotencyKey);
  const { differing, unitsOver, unitsShort, valueCents, uncounted } = count.figures;

  async function post() {
    setLeft(differing);
    try {
      await postDifferences(count.id, { batch, reason, note: note.trim() }, words, setLeft);
      onClose();
    } catch (problem) {
      notify({ kind: 'error', id: 'count-post', text: refusalText(problem, words) });
      setLeft(null);
      if (problem instanceof ApiProblem && problem.status === 409) onClose();
    }
  }

  const summary =
    differing === 0
      ? say('counting.post.noDifferences')
      : `${say('counting.post.summary', {
          over: number(unitsOver),
          short: number(unitsShort),
          value: money(valueCents),
        })} ${say('counting.post.moves')}`;
  const kept = uncounted > 0 ? ` ${say('counting.post.uncounted', { count: uncounted })}` : '';
  return (
    <Confirm
      title={differing === 0 ? say('counting.post.askNone') : say('counting.post.ask', { count: differing })}
      text={left === null ? `${summary}${kept}` : say('counting.post.working', { count: left })}
      confirmLabel={say(differing === 0 ? 'counting.post.none' : 'counting.post')}
      cancelLabel={say('counting.post.cancel')}
      busy={left !== null}
      onConfirm={() => void post()}
      onCancel={onClose}
    >
      {differing > 0 && (
        <div className={styles.fields}>
          <SelectFilter
            label={say('counting.post.reason')}
            value={reason}
            options={countReasons.map((value) => ({ value, text: say(`reason.${value}`) }))}
            onPick={(value) => setReason(value as CountReason)}
          />
          <TextField
            label={say('counting.post.note')}
            value={note}
            maxLength={500}
            autoComplete="off"
            onChange={({ target }) => setNote(target.value)}
          />
        </div>
      )}
    </Confirm>
  );
}

function refusalText(problem: unknown, words: Words): string {
  const { say } = words;
  const code = problem instanceof ApiProblem ? problem.code : null;
  if (code === 'count_posting') return say('counting.postedElsewhere');
  if (code === 'count_closed') return say('counting.closed');
  if (code === 'count_unsettled') return say('counting.unsettled');
  return `${say('counting.notPosted')} ${problemText(problem, words)}`;
}
