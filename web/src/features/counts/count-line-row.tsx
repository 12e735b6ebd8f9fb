import type { LineFilter } from '@perfume/contract/counts';
import { countReasons } from '@perfume/domain/ledger';
import type { ReactNode } from 'react';
import { useMay } from '../../live/may.ts';
import { problemText } from '../../live/problem-text.ts';
import { paths } from '../../paths.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { SelectFilter } from '../../ui/form/filter-field.tsx';
import { Link } from '../../ui/link.tsx';
import { Picture } from '../../ui/picture.tsx';
import { notify } from '../../ui/toast.ts';
import type { Key } from '../../words/catalogues.ts';
import { when } from '../../words/when.ts';
import { useWords } from '../../words/words.tsx';
import styles from './count-line-row.module.css';
import { type Count, decideLines, type Line, setMany } from './counts-query.ts';
import { shownName } from './scope-text.ts';

type RowProps = { count: Count; line: Line; show: LineFilter; onChoose: (itemId: string) => void };

/** One item of a session. In the review it shows the difference, what moved meanwhile, and asks for a reason. */
export function CountLineRow({ count, line, show, onChoose }: RowProps) {
  const words = useWords();
  const { say } = words;
  const { item, counted, expected, difference, outcome } = line;
  const may = useMay();
  const canCount = count.state === 'open' && may('moveStock');
  const isOpen = count.state === 'open';
  const isReview = show === 'differences' || show === 'check' || show === 'refused';
  return (
    <li className={styles.row}>
      <Picture src={item.imageUrl} alt="" width={36} height={46} className={styles.picture} />
      <div className={styles.about}>
        <Link to={paths.item(item.id)} className={styles.name}>
          <bdi>{item.name}</bdi>
        </Link>
        <p className={styles.facts}>
          {counted === null || expected === null ? (
            <bdi>{item.supplierName}</bdi>
          ) : (
            <span>
              {isReview || !count.blind || !isOpen
                ? say('counting.row.numbers', { counted, expected })
                : say('counting.row.counted', { counted })}
            </span>
          )}
          {line.by.length > 0 && (
            <span>{say('counting.by', { names: line.by.map((by) => shownName(by, words)).join(', ') })}</span>
          )}
          {line.isDeleted && <Badge tone="bad">{say('counting.row.deleted')}</Badge>}
        </p>
      </div>
      {isReview && difference !== null && <Difference value={difference} />}
      {show === 'uncounted' && canCount && <UncountedActions count={count} line={line} onChoose={onChoose} />}
      {show === 'counted' && canCount && !line.isDeleted && (
        <div className={styles.end}>
          <Button
            size="s"
            look="plain"
            aria-label={say('counting.row.againNamed', { name: item.name })}
            onClick={() => onChoose(item.id)}
          >
            {say('counting.row.count')}
          </Button>
        </div>
      )}
      {isReview && canCount && <Review count={count} line={line} onChoose={onChoose} />}
      {outcome !== null && <p className={styles.outcome}>{outcomeText(outcome, say)}</p>}
      {!isOpen && line.reason && (
        <p className={styles.outcome}>{[say(`reason.${line.reason}`), line.note].filter(Boolean).join(' · ')}</p>
      )}
    </li>
  );
}

type ActionProps = Omit<RowProps, 'show'>;

function UncountedActions({ count, line: { item }, onChoose }: ActionProps) {
  const { say } = useWords();
  const save = useSave();
  if (count.state !== 'open') return null;
  return (
    <div className={styles.end}>
      <Button
        size="s"
        look="plain"
        aria-label={say('counting.row.noneNamed', { name: item.name })}
        onClick={() => save(setMany(count.id, [item.id], 0))}
      >
        {say('counting.row.none')}
      </Button>
      <Button
        size="s"
        aria-label={say('counting.row.countNamed', { name: item.name })}
        onClick={() => onChoose(item.id)}
      >
        {say('counting.row.count')}
      </Button>
    </div>
  );
}

function Difference({ value }: { value: number }) {
  const { number } = useWords();
  const sign = value > 0 ? '+' : value < 0 ? '−' : '';
  return (
    <p className={styles.difference} data-tone={value > 0 ? 'good' : value < 0 ? 'bad' : undefined}>
      <bdi>
        {sign}
        {number(Math.abs(value))}
      </bdi>
    </p>
  );
}

/** What people decide about a difference: the reason, a note, and where it is in doubt, whether to post it. */
function Review({ count, line, onChoose }: ActionProps) {
  const { say } = useWords();
  const save = useSave();
  const { item, doubt, decision, difference } = line;
  const { name } = item;
  const decide = (change: 'post' | 'leave' | null) => save(decideLines(count.id, { ids: [item.id], decision: change }));
  return (
    <div className={styles.review}>
      {doubt !== null && (
        <Notice line={line} text={say(`counting.doubt.${doubt}`)}>
          <Button
            size="s"
            look="primary"
            aria-label={say('counting.row.againNamed', { name })}
            onClick={() => onChoose(item.id)}
          >
            {say('counting.row.again')}
          </Button>
          <Button size="s" aria-label={say('counting.decide.postNamed', { name })} onClick={() => decide('post')}>
            {say('counting.decide.post')}
          </Button>
          <Button size="s" aria-label={say('counting.decide.leaveNamed', { name })} onClick={() => decide('leave')}>
            {say('counting.decide.leave')}
          </Button>
        </Notice>
      )}
      {doubt === null && decision !== null && (
        <Notice line={line} text={say(`counting.decided.${decision}`)}>
          <Button
            size="s"
            look="plain"
            aria-label={say('counting.decided.changeNamed', { name })}
            onClick={() => decide(null)}
          >
            {say('counting.decided.change')}
          </Button>
        </Notice>
      )}
      {difference !== 0 && decision !== 'leave' && (
        <div className={styles.explain}>
          <SelectFilter
            hideLabel
            label={say('counting.reasonNamed', { name })}
            value={line.reason ?? ''}
            options={[
              { value: '', text: say('counting.reason.none') },
              ...countReasons.map((value) => ({ value, text: say(`reason.${value}`) })),
            ]}
            onPick={(value) => {
              const reason = countReasons.find((one) => one === value) ?? null;
              save(decideLines(count.id, { ids: [item.id], reason }));
            }}
          />
          <NoteField count={count} line={line} />
        </div>
      )}
    </div>
  );
}

function Notice({ line, text, children }: { line: Line; text: string; children: ReactNode }) {
  const words = useWords();
  const { say, number } = words;
  return (
    <div className={styles.notice}>
      <p>{text}</p>
      {line.movements.length > 0 && (
        <ul className={styles.movements}>
          {line.movements.map(({ id, kind, delta, by, at }) => (
            <li key={id}>
              {say(`history.kind.${kind}`)} <bdi>{`${delta > 0 ? '+' : '−'}${number(Math.abs(delta))}`}</bdi>
              {' · '}
              <bdi>{shownName(by, words)}</bdi>
              {' · '}
              {when(Date.parse(at), Date.now(), words)}
            </li>
          ))}
        </ul>
      )}
      <div className={styles.decide}>{children}</div>
    </div>
  );
}

/** Saves the note when the field is left. */
function NoteField({ count, line: { item, note } }: { count: Count; line: Line }) {
  const { say } = useWords();
  const save = useSave();
  return (
    <input
      // A note that somebody else wrote meanwhile replaces the shown one.
      key={note}
      className={styles.note}
      defaultValue={note ?? ''}
      maxLength={500}
      placeholder={say('counting.note')}
      aria-label={say('counting.noteNamed', { name: item.name })}
      autoComplete="off"
      onBlur={({ target }) => {
        const text = target.value.trim();
        if (text !== (note ?? '')) save(decideLines(count.id, { ids: [item.id], note: text || null }));
      }}
    />
  );
}

/** Returns a function that says so if a change was not saved. */
function useSave(): (change: Promise<unknown>) => void {
  const words = useWords();
  return (change) => {
    change.catch((problem: unknown) => {
      const text = `${words.say('counting.notSaved')} ${problemText(problem, words)}`;
      notify({ kind: 'error', id: 'count-line', text });
    });
  };
}

type OutcomeKey = Extract<Key, `counting.outcome.${string}`>;
const outcomes: Record<string, OutcomeKey> = {
  posted: 'counting.outcome.posted',
  item_deleted: 'counting.outcome.item_deleted',
  out_of_stock: 'counting.outcome.out_of_stock',
  over_full: 'counting.outcome.over_full',
  count_unsettled: 'counting.outcome.count_unsettled',
};

function outcomeText(outcome: string, say: ReturnType<typeof useWords>['say']): string {
  return say(outcomes[outcome] ?? 'problem.unknown');
}
