import { checkTypedQuantity, type Item } from '@perfume/domain/items';
import { useQuery } from '@tanstack/react-query';
import { Undo2, X } from 'lucide-react';
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { ApiProblem } from '../../api/client.ts';
import { itemQuery } from '../../live/item-cache.ts';
import { useMay } from '../../live/may.ts';
import { problemText } from '../../live/problem-text.ts';
import { undoRefusalText } from '../../live/undo-text.ts';
import { paths } from '../../paths.ts';
import { Button, IconButton, LinkButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Link } from '../../ui/link.tsx';
import { LiveNumber } from '../../ui/live-number.tsx';
import { Picture } from '../../ui/picture.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { notify } from '../../ui/toast.ts';
import { useWords, type Words } from '../../words/words.tsx';
import { signed } from '../ledger/signed.ts';
import { setUnits, undoBooking, undoOnce } from './book.ts';
import {
  type Booking,
  type Counted,
  type JournalEntry,
  type Refusal,
  removeEntry,
  replaceEntry,
  type Scanned,
  shownUnits,
} from './journal.ts';
import styles from './journal-card.module.css';
import { Stepper } from './stepper.tsx';

/** What a person can do about an entry that was not booked. */
export type EntryActions = {
  attach: (scan: Scanned & { key: number }) => void;
  lookUpAgain: (scan: Scanned & { key: number }) => void;
  countIt: (item: Item, counted?: number) => void;
  receiveIt: (item: Item) => void;
};

type CardProps<Entry> = { entry: Entry & { key: number }; actions: EntryActions };

export function JournalCard({ entry, actions }: { entry: JournalEntry; actions: EntryActions }) {
  switch (entry.kind) {
    case 'booking':
      return <BookingCard entry={entry} />;
    case 'counted':
      return <CountedCard entry={entry} />;
    case 'refusal':
      return <RefusalCard entry={entry} actions={actions} />;
    case 'scanned':
      return <ScannedCard entry={entry} actions={actions} />;
  }
}

/** The item of an entry as it is now. */
function useLatest(item: Item): Item {
  const { data } = useQuery({ ...itemQuery(item.id), staleTime: Number.POSITIVE_INFINITY });
  return data ?? item;
}

function BookingCard({ entry }: { entry: Booking & { key: number } }) {
  const { say, number, locale } = useWords();
  const item = useLatest(entry.item);
  const units = shownUnits(entry);
  const isUndone = entry.undone !== null;
  return (
    <Card
      item={item}
      look={isUndone ? 'undone' : entry.mode}
      tools={
        !isUndone && (
          <>
            <Units entry={entry} units={units} />
            <UndoButton undo={() => undoBooking(entry.key)} name={item.name} />
          </>
        )
      }
    >
      <p className={styles.change}>
        <bdi dir="ltr" className={styles.delta}>
          {signed(entry.mode === 'deliver' ? -units : units, locale)}
        </bdi>
        {isUndone ? (
          <span>{say('floor.undone')}</span>
        ) : (
          <span aria-hidden="true" className={styles.arrow}>
            →
          </span>
        )}
        <strong className={styles.left}>
          <LiveNumber value={item.quantity} format={number} />
        </strong>
        <span>{say('floor.left')}</span>
      </p>
    </Card>
  );
}

/** The units of a booking. A typed number is booked when the field is left. */
function Units({ entry, units }: { entry: Booking & { key: number }; units: number }) {
  const words = useWords();
  const [typed, setTyped] = useState<string | null>(null);
  const { key, item } = entry;

  const change = (to: number) => void setUnits(key, to).catch((problem) => notifyNotUndone(problem, words));

  function commit(): void {
    const wanted = typed === null ? null : checkTypedQuantity(typed);
    setTyped(null);
    if (wanted?.ok && wanted.value > 0 && wanted.value !== units) change(wanted.value);
  }

  // A scan moves the card to another list, which removes the field without a blur.
  const commitLatest = useEffectEvent(commit);
  useEffect(() => () => commitLatest(), []);

  return (
    <Stepper
      label={words.say('floor.units', { name: item.name })}
      text={typed ?? String(units)}
      canStepDown={units > 1}
      onText={setTyped}
      onStep={(by) => change(units + by)}
      onDone={commit}
    />
  );
}

function CountedCard({ entry }: { entry: Counted & { key: number } }) {
  const { say, number } = useWords();
  const { key, item, counted, latest, isUndone } = entry;

  async function undo(): Promise<void> {
    if (latest && !(await undoOnce(latest))) replaceEntry(key, { ...entry, isUndone: true });
  }

  return (
    <Card
      item={item}
      look={isUndone ? 'undone' : 'count'}
      tools={latest && !isUndone && <UndoButton undo={undo} name={item.name} />}
    >
      <p className={styles.change}>
        <strong className={styles.left}>{number(counted)}</strong>
        <span>
          {counted === item.quantity ? say('floor.asRecorded') : say('floor.countedWas', { count: item.quantity })}
        </span>
      </p>
      {isUndone && <p className={styles.note}>{say('floor.undone')}</p>}
    </Card>
  );
}

function RefusalCard({ entry: { key, item: before, mode, problem, counted }, actions }: CardProps<Refusal>) {
  const words = useWords();
  const { say } = words;
  const item = useLatest(before);
  const isOutOfStock = problem instanceof ApiProblem && problem.code === 'out_of_stock';
  const isStale = problem instanceof ApiProblem && problem.code === 'stale_version';
  const done = (act: (item: Item, counted?: number) => void) => () => {
    removeEntry(key);
    act(item, counted);
  };
  return (
    <Card
      item={item}
      look="refused"
      onDismiss={() => removeEntry(key)}
      tools={
        (isOutOfStock || isStale) && (
          <>
            <Button className={styles.choice} onClick={done(actions.countIt)}>
              {say('floor.countIt')}
            </Button>
            {isOutOfStock && (
              <Button className={styles.choice} onClick={done(actions.receiveIt)}>
                {say('floor.receiveIt')}
              </Button>
            )}
          </>
        )
      }
    >
      <div role="alert">
        <p className={styles.refused}>{say(`floor.refused.${mode}`)}</p>
        <p className={styles.why}>
          {isOutOfStock ? say('stock.onHand', { count: problem.onHand ?? 0 }) : problemText(problem, words)}
        </p>
      </div>
    </Card>
  );
}

function ScannedCard({ entry, actions }: CardProps<Scanned>) {
  const words = useWords();
  const { say } = words;
  const { code } = entry;
  const may = useMay();
  if (entry.state === 'looking') {
    return (
      <div className={styles.card} data-look="looking">
        <p className={styles.looking}>
          <Spinner /> {say('floor.looking', { code })}
        </p>
      </div>
    );
  }
  return (
    <div className={styles.card} data-look="unknown">
      <div className={styles.body}>
        <div role="alert">
          <p className={styles.refused}>
            {entry.state === 'unknown' && say('scan.unknown', { code })}
            {entry.state === 'wrongDigit' && say('scan.wrongDigit', { code })}
            {entry.state === 'failed' && say('scan.lookupFailed', { code })}
          </p>
          {entry.state === 'wrongDigit' && (
            <p className={styles.why}>{say('scan.wrongDigit.hint', { expected: entry.expected })}</p>
          )}
          {entry.state === 'failed' && <p className={styles.why}>{problemText(entry.problem, words)}</p>}
        </div>
      </div>
      {entry.state === 'unknown' && may('changeItems') && (
        <div className={styles.tools}>
          <Button look="primary" className={styles.choice} onClick={() => actions.attach(entry)}>
            {say('floor.attach')}
          </Button>
          <LinkButton className={styles.choice} to={`${paths.addItem}?${new URLSearchParams({ code })}`}>
            {say('scan.addNew')}
          </LinkButton>
        </div>
      )}
      {entry.state === 'failed' && (
        <div className={styles.tools}>
          <Button className={styles.choice} onClick={() => actions.lookUpAgain(entry)}>
            {say('retry')}
          </Button>
        </div>
      )}
      <Dismiss onDismiss={() => removeEntry(entry.key)} />
    </div>
  );
}

type Look = 'deliver' | 'receive' | 'count' | 'undone' | 'refused';

type CardLayout = { item: Item; look: Look; onDismiss?: () => void; tools: ReactNode; children: ReactNode };

function Card({ item, look, onDismiss, tools, children }: CardLayout) {
  return (
    <div className={styles.card} data-look={look}>
      <Picture src={item.imageUrl} alt="" width={64} height={76} eager className={styles.picture} />
      <div className={styles.body}>
        <h2 className={styles.name}>
          <Link to={paths.item(item.id)}>
            <bdi>{item.name}</bdi>
          </Link>
        </h2>
        {children}
      </div>
      {tools && <div className={styles.tools}>{tools}</div>}
      {onDismiss && <Dismiss onDismiss={onDismiss} />}
    </div>
  );
}

function Dismiss({ onDismiss }: { onDismiss: () => void }) {
  const { say } = useWords();
  return (
    <IconButton label={say('floor.dismiss')} className={styles.dismiss} onClick={onDismiss}>
      <Icon of={X} />
    </IconButton>
  );
}

function UndoButton({ undo, name }: { undo: () => Promise<void>; name: string }) {
  const words = useWords();
  const [busy, setBusy] = useState(false);
  async function run(): Promise<void> {
    setBusy(true);
    await undo().catch((problem) => notifyNotUndone(problem, words));
    setBusy(false);
  }
  return (
    <Button className={styles.undo} busy={busy} onClick={() => void run()}>
      <Icon of={Undo2} size={22} />
      {words.say('undo')}
      <span className="visually-hidden"> {name}</span>
    </Button>
  );
}

function notifyNotUndone(problem: unknown, words: Words): void {
  notify({ kind: 'error', id: 'floorNotUndone', text: undoRefusalText(problem, words) });
}
