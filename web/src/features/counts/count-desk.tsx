import { MAX_QUANTITY, parseQuantity } from '@perfume/domain/quantity';
import { readTypedNumber } from '@perfume/domain/typed-number';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Minus, Plus, Undo2 } from 'lucide-react';
import { type FormEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { ApiProblem, call } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import { newIdempotencyKey, retryUntilAnswered } from '../../api/retry.ts';
import { problemText } from '../../live/problem-text.ts';
import { Button } from '../../ui/button.tsx';
import { SearchField } from '../../ui/form/search-field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useScanner } from '../../ui/keyboard/use-scanner.ts';
import { LiveNumber } from '../../ui/live-number.tsx';
import { Picture } from '../../ui/picture.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { notify } from '../../ui/toast.ts';
import { useWords, type Words } from '../../words/words.tsx';
import { CameraScanner } from '../codes/camera-scanner.tsx';
import { findByCode } from '../codes/find-by-code.ts';
import styles from './count-desk.module.css';
import { type Count, lineQuery, refetchCount, searchQuery } from './counts-query.ts';
import {
  addEntries,
  type EntryOutbox,
  isTooOld,
  type SentEntry,
  type UnsentEntry,
  unstoredTotal,
} from './entry-outbox.ts';
import { shownName } from './scope-text.ts';

type DeskProps = {
  count: Count;
  outbox: EntryOutbox;
  itemId: string | null;
  onChoose: (itemId: string) => void;
};

/** Where people count: scan after scan, or search and type the number. Shows the item that was counted last. */
export function CountDesk({ count, outbox, itemId, onChoose }: DeskProps) {
  const words = useWords();
  const { say } = words;
  const [last, setLast] = useState<SentEntry | null>(null);
  const isStuck = outbox.useIsStuck();
  const isUnstored = unstoredTotal.use() > 0;
  const unsent = outbox.useUnsent().filter((entry) => !isTooOld(entry));

  const onSent = useEffectEvent((sent: SentEntry) => {
    setLast(sent);
    queryClient.setQueryData(lineQuery(count.id, sent.itemId).queryKey, (line) =>
      line ? { ...line, counted: sent.counted } : line,
    );
  });
  const onRefused = useEffectEvent(({ entry, problem }: { entry: UnsentEntry; problem: ApiProblem }) => {
    const text = `${say('counting.refused', { name: entry.name })} ${refusalText(problem, words)}`;
    notify({ kind: 'error', id: `count-entry ${entry.itemId}`, text });
  });
  const onClosed = useEffectEvent(() => refetchCount(count.id));
  useEffect(
    () =>
      outbox.listen({
        onSent: (sent) => onSent(sent),
        onRefused: (refused) => onRefused(refused),
        onClosed: () => onClosed(),
      }),
    [outbox],
  );

  async function scan(code: string): Promise<boolean> {
    try {
      const item = await findByCode(code);
      if (item === null) return false;
      onChoose(item.id);
      outbox.add(item, { add: 1 });
      navigator.vibrate?.(40);
      return true;
    } catch (problem) {
      const isOffline = problem instanceof ApiProblem && problem.code === 'offline';
      const key = isOffline ? 'counting.codeOffline' : 'counting.codeFailed';
      notify({ kind: 'error', id: 'count-code', text: say(key, { code }) });
      return true;
    }
  }

  async function scanOrSay(code: string) {
    if (await scan(code)) return;
    navigator.vibrate?.([60, 60, 60]);
    notify({ kind: 'error', id: 'count-code', text: say('counting.unknownCode', { code }) });
  }
  useScanner((code) => void scanOrSay(code));

  return (
    <section id="desk" className={styles.desk} aria-label={say('counting.desk')}>
      <CameraScanner onCode={(code) => void scanOrSay(code)} />
      <Search scan={scan} onChoose={onChoose} />
      {isStuck && (
        <p className={styles.stuck} role="status">
          {say(isUnstored ? 'counting.stuckNotStored' : 'counting.stuck')}{' '}
          {say('counting.unsent', { count: unsent.length })}
        </p>
      )}
      {itemId === null ? (
        <p className={styles.choose}>{say('counting.choose')}</p>
      ) : (
        <CurrentItem key={itemId} count={count} itemId={itemId} outbox={outbox} unsent={unsent} />
      )}
      {last && <UndoLast key={last.entryId} countId={count.id} last={last} onUndone={() => setLast(null)} />}
    </section>
  );
}

type SearchProps = { scan: (code: string) => Promise<boolean>; onChoose: (itemId: string) => void };

/** Finds an item by its texts or by a typed code. Enter counts the item with this code, or chooses the first one. */
function Search({ scan, onChoose }: SearchProps) {
  const { say } = useWords();
  const [q, setQ] = useState('');
  const wanted = q.trim();
  const { data } = useQuery({ ...searchQuery(wanted), placeholderData: keepPreviousData });
  const items = wanted === '' ? [] : (data?.items ?? []);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (wanted === '') return;
    const [first] = items;
    if (await scan(wanted)) setQ('');
    else if (first) choose(first.id);
  }

  function choose(id: string) {
    setQ('');
    onChoose(id);
  }

  return (
    <form className={styles.search} onSubmit={submit}>
      <SearchField
        label={say('counting.search')}
        placeholder={say('counting.search')}
        value={q}
        enterKeyHint="search"
        data-shortcut-search=""
        onChange={({ target }) => setQ(target.value)}
      />
      {wanted === '' ? (
        <p className={styles.hint}>{say('counting.searchHint')}</p>
      ) : (
        <>
          <p className={data?.total === 0 ? styles.hint : 'visually-hidden'} role="status">
            {data &&
              (data.total === 0
                ? say('counting.nothingFound', { q: wanted })
                : say('counting.found', { count: data.total }))}
          </p>
          <ul className={styles.results}>
            {items.map((item) => (
              <li key={item.id}>
                <button type="button" className={styles.result} onClick={() => choose(item.id)}>
                  <Picture src={item.imageUrl} alt="" width={28} height={36} className={styles.thumb} />
                  <span className={styles.texts}>
                    <bdi className={styles.resultName}>{item.name}</bdi>
                    <bdi className={styles.supplier}>{item.supplierName}</bdi>
                  </span>
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </form>
  );
}

type CurrentProps = { count: Count; itemId: string; outbox: EntryOutbox; unsent: readonly UnsentEntry[] };

function CurrentItem({ count, itemId, outbox, unsent }: CurrentProps) {
  const words = useWords();
  const { say, number } = words;
  const { data: line, error, refetch } = useQuery(lineQuery(count.id, itemId));
  if (line === undefined && !error) return <Skeleton width="100%" height="13rem" />;
  if (line === undefined)
    return (
      <p className={styles.choose} role="alert">
        {say('counting.list.failed')} <Button onClick={() => void refetch()}>{say('retry')}</Button>
      </p>
    );
  if (line === null || line.isDeleted) return <p className={styles.choose}>{say('counting.gone')}</p>;
  const { item } = line;
  const counted = addEntries(
    line.counted,
    unsent.filter((entry) => entry.itemId === item.id),
  );
  return (
    <div className={styles.current}>
      <Picture src={item.imageUrl} alt="" width={96} height={123} className={styles.picture} />
      <div className={styles.about}>
        <h2 className={styles.name}>
          <bdi>{item.name}</bdi>
        </h2>
        <p className={styles.supplier}>
          <bdi>{item.supplierName}</bdi>
        </p>
        {!count.blind && <p className={styles.expected}>{say('counting.expected', { count: item.quantity })}</p>}
        {line.by.length > 0 && (
          <p className={styles.supplier}>
            {say('counting.by', { names: line.by.map((by) => shownName(by, words)).join(', ') })}
          </p>
        )}
      </div>
      <div className={styles.stepper}>
        <Button
          className={styles.step}
          aria-label={say('counting.fewer')}
          disabled={!counted}
          onClick={() => outbox.add(item, { add: -1 })}
        >
          <Icon of={Minus} size={28} />
        </Button>
        <p className={styles.number} role="status" data-testid="counted">
          {counted === null ? (
            <span className={styles.uncounted}>{say('counting.uncounted')}</span>
          ) : (
            <>
              <span aria-hidden="true" className={styles.big}>
                <LiveNumber value={counted} format={number} />
              </span>
              <span className="visually-hidden">{say('counting.units', { count: counted })}</span>
            </>
          )}
        </p>
        <Button className={styles.step} aria-label={say('counting.more')} onClick={() => outbox.add(item, { add: 1 })}>
          <Icon of={Plus} size={28} />
        </Button>
      </div>
      <NumberForm onSet={(units) => outbox.add(item, { set: units })} />
    </div>
  );
}

function NumberForm({ onSet }: { onSet: (units: number) => void }) {
  const { say } = useWords();
  const input = useRef<HTMLInputElement>(null);
  const [isInvalid, setIsInvalid] = useState(false);

  function submit(event: FormEvent) {
    event.preventDefault();
    const field = input.current;
    if (!field) return;
    const typed = readTypedNumber(field.value);
    const units = typed.ok ? parseQuantity(typed.plain) : null;
    setIsInvalid(units === null);
    if (units === null || units > MAX_QUANTITY) {
      field.focus();
      return;
    }
    onSet(units);
    field.value = '';
  }

  return (
    <form className={styles.set} noValidate onSubmit={submit}>
      <label htmlFor="counted-total">{say('counting.number')}</label>
      <input
        ref={input}
        id="counted-total"
        className={styles.input}
        inputMode="numeric"
        autoComplete="off"
        aria-invalid={isInvalid || undefined}
        aria-describedby="counted-total-error"
        onChange={() => setIsInvalid(false)}
      />
      <Button type="submit" size="s">
        {say('counting.set')}
      </Button>
      <p id="counted-total-error" className={styles.error} aria-live="polite">
        {isInvalid && say('counting.number.invalid')}
      </p>
    </form>
  );
}

type UndoProps = { countId: string; last: SentEntry; onUndone: () => void };

function UndoLast({ countId, last, onUndone }: UndoProps) {
  const words = useWords();
  const { say } = words;
  const [busy, setBusy] = useState(false);

  async function undo() {
    setBusy(true);
    const headers = { 'idempotency-key': newIdempotencyKey() };
    try {
      await retryUntilAnswered((signal) =>
        call('POST /count-entries/:id/undo', { params: { id: last.entryId }, headers, signal }),
      );
      await queryClient.invalidateQueries({ queryKey: ['count', countId] });
      notify({ kind: 'success', id: 'count-entry', text: say('counting.undone', { name: last.name }) });
      onUndone();
    } catch (problem) {
      const text = `${say('counting.notUndone')} ${refusalText(problem, words)}`;
      notify({ kind: 'error', id: 'count-entry', text });
      setBusy(false);
    }
  }

  return (
    <Button className={styles.undo} busy={busy} onClick={() => void undo()}>
      <Icon of={Undo2} size={20} flips />
      {say('counting.undo')}
    </Button>
  );
}

function refusalText(problem: unknown, words: Words): string {
  const code = problem instanceof ApiProblem ? problem.code : null;
  if (code === 'count_below_zero') return words.say('counting.belowZero');
  if (code === 'count_over_full') return words.say('counting.tooMuch');
  if (code === 'count_closed') return words.say('counting.closed');
  return problemText(problem, words);
}
