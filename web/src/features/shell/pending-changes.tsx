import type { WireHouse } from '@perfume/contract/houses';
import { fromWireNames } from '@perfume/contract/wire-item';
import { useState } from 'react';
import { useBoot } from '../../api/boot.ts';
import { ApiProblem } from '../../api/client.ts';
import { ownerName } from '../../api/session.ts';
import { activeQueue, queueState } from '../../live/active-queue.ts';
import { enterHouse, useHouses } from '../../live/houses.ts';
import { problemText } from '../../live/problem-text.ts';
import { mayBeRecorded } from '../../live/stock-queue.ts';
import { deltaOf, isOfOtherHouse, isUndoOf, type StoredChange } from '../../live/stored-change.ts';
import { entryAction } from '../../live/undo-entry.ts';
import { type Action, discarded, performUndo } from '../../live/undo-stack.ts';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Link } from '../../ui/link.tsx';
import { useNavigate } from '../../ui/router.tsx';
import { notify } from '../../ui/toast.ts';
import { when } from '../../words/when.ts';
import { useWords, type Words } from '../../words/words.tsx';
import { unsentTotal } from '../counts/entry-outbox.ts';
import { correctedItem, loadDraft, startCorrection } from '../item-form/item-draft.ts';
import { restoreItem } from '../items/delete-item.ts';
import styles from './pending-changes.module.css';

/**
 * Lists the changes that wait on this device, those that the server refused and those that the person has to decide. Says
 * how many entries of counts are not sent.
 */
export function PendingChanges({ age, onClose }: { age: number | null; onClose: () => void }) {
  const words = useWords();
  const { say } = words;
  const { changes, isSignedOut } = queueState.use();
  const entries = unsentTotal.use();
  const sorted = [...changes].sort((one, other) => rank(one) - rank(other));
  return (
    <Dialog title={say('pending.title')} closeLabel={say('dialog.close')} onClose={onClose}>
      <p className={styles.lead}>
        {changes.length > 0 ? say('pending.lead') : entries === 0 && say('pending.none')}
        {age !== null && ` ${say('pending.lastUpdated', { time: when(age, Date.now(), words) })}`}
      </p>
      {isSignedOut && (
        <p className={styles.lead}>
          <Link to={paths.login}>{say('pending.signedOut', { count: changes.length + entries })}</Link>
        </p>
      )}
      {entries > 0 && (
        <p className={styles.entries}>
          {say('pending.entries', { count: entries })}{' '}
          <Link to={paths.counts} onClick={onClose}>
            {say('pending.entries.open')}
          </Link>
        </p>
      )}
      <ul className={styles.list}>
        {sorted.map((change) => (
          <Change key={change.id} change={change} onFollow={onClose} />
        ))}
      </ul>
    </Dialog>
  );
}

function rank({ state }: StoredChange): number {
  return state === 'waiting' ? 1 : 0;
}

function Change({ change, onFollow }: { change: StoredChange; onFollow: () => void }) {
  const words = useWords();
  const { say } = words;
  const [busy, setBusy] = useState(false);
  const run = (work: () => Promise<unknown>) => async () => {
    setBusy(true);
    try {
      await work();
    } catch (problem) {
      notify({ kind: 'error', id: change.id, text: problemText(problem, words) });
    } finally {
      setBusy(false);
    }
  };
  const navigate = useNavigate();
  const [isAsking, setAsking] = useState(false);
  const openForm = () => {
    onFollow();
    navigate(paths.addItem);
  };
  const { user } = useBoot();
  const owner = user ? ownerName(user) : '';
  const correct = () => {
    startCorrection(owner, change.itemId, textsOf(change));
    openForm();
  };
  const correctOrAsk = () => {
    if (correctedItem(owner) === change.itemId) openForm();
    else if (loadDraft(owner)) setAsking(true);
    else correct();
  };
  const { data: houses } = useHouses();
  const isElsewhere = isOfOtherHouse(change);
  const house = houses?.find(({ id }) => id === change.request.headers?.house);
  const buttons = isElsewhere ? actionsElsewhere(change, house, words) : actionsOf(change, words, correctOrAsk);
  return (
    <li className={styles.change}>
      <p className={styles.what}>
        {isElsewhere ? (
          <bdi>{change.itemName}</bdi>
        ) : (
          <Link to={paths.item(change.itemId)} onClick={onFollow} dir="auto">
            {change.itemName}
          </Link>
        )}
        <span>{whatText(change, words)}</span>
        <span className={styles.time}>{when(change.madeAt, Date.now(), words)}</span>
      </p>
      {isElsewhere && (
        <p className={styles.state}>{house ? say('pending.inHouse', { house: house.name }) : say('pending.inOther')}</p>
      )}
      {change.state === 'refused' && (
        <p className={styles.reason}>
          {say(mayBeRecorded(change) ? 'pending.unsure' : 'pending.refused', { reason: reasonText(change, words) })}
        </p>
      )}
      {change.state === 'undecided' && <CountChanged change={change} />}
      <div className={styles.actions}>
        {change.state === 'waiting' && <span className={styles.state}>{say('pending.waiting')}</span>}
        {buttons.map(({ text, work, look }) => (
          <Button key={text} size="s" look={look ?? 'quiet'} busy={busy} onClick={run(work)}>
            {text}
          </Button>
        ))}
      </div>
      {isAsking && (
        <Confirm
          title={say('pending.replaceDraft')}
          text={say('pending.replaceDraft.question')}
          confirmLabel={say('pending.replaceDraft.confirm')}
          cancelLabel={say('delete.cancel')}
          onConfirm={correct}
          onCancel={() => setAsking(false)}
        />
      )}
    </li>
  );
}

function CountChanged({ change: { made, changedSince } }: { change: StoredChange }) {
  const words = useWords();
  const { say, number } = words;
  if (made.kind !== 'count' || !changedSince) return null;
  const { counted, seen } = made;
  return (
    <>
      <p className={styles.reason}>
        {say('pending.countChanged', {
          counted: number(counted),
          seen: number(seen),
          now: number(changedSince.quantity),
        })}
      </p>
      <ul className={styles.movements}>
        {changedSince.movements.map(({ by, at, delta }) => (
          <li key={`${at} ${by} ${delta}`}>
            {say('pending.movement', {
              who: by,
              time: when(Date.parse(at), Date.now(), words),
              units: signed(delta, words),
            })}
          </li>
        ))}
      </ul>
    </>
  );
}

type PendingAction = { text: string; work: () => Promise<unknown>; look?: 'primary' | 'quiet' | 'danger' };

/** What a person can do about a change: the most helpful first. */
function actionsOf(change: StoredChange, { say, number }: Words, correct: () => void): PendingAction[] {
  const queue = activeQueue();
  if (!queue) return [];
  const { id, made, state, problem, changedSince, itemId } = change;
  const discard = { text: say('pending.discard'), work: () => discardChange(id), look: 'danger' } as const;
  const retry = { text: say('pending.retry'), work: () => queue.retry(id) };
  if (state === 'waiting') {
    const { changes } = queueState.get();
    if (made.kind === 'undo' || changes.some((one) => isUndoOf(one, id))) return [];
    return [{ text: say('pending.drop'), work: () => undoWaiting(change) }];
  }
  if (state === 'undecided' && made.kind === 'count' && changedSince) {
    const both = made.counted + changedSince.quantity - made.seen;
    const set = { text: say('pending.set', { count: number(made.counted) }), work: () => queue.decide(id, 'set') };
    const keep = { text: say('pending.keepBoth', { count: number(both) }), work: () => queue.decide(id, 'keep') };
    return [{ ...set, look: 'primary' }, ...(both >= 0 ? [keep] : []), discard];
  }
  if (problem?.code === 'out_of_stock' && made.kind === 'move' && problem.onHand) {
    const count = problem.onHand;
    const fewer = { text: say('pending.deliverFewer', { count: number(count) }), work: () => deliverOnly(id, count) };
    return [{ ...fewer, look: 'primary' }, retry, discard];
  }
  if (problem?.code === 'item_not_found' && made.kind !== 'add') {
    const restore = async () => {
      await restoreItem(itemId);
      await queue.retry(id);
    };
    return [{ text: say('pending.restore'), work: restore, look: 'primary' }, discard];
  }
  if (made.kind === 'add' && (problem?.code === 'invalid_input' || problem?.code === 'code_taken')) {
    return [{ text: say('pending.edit'), work: async () => correct(), look: 'primary' }, discard];
  }
  return [retry, discard];
}

/** What a person can do about a change that was made in another house: it is decided there. */
function actionsElsewhere({ id, state }: StoredChange, house: WireHouse | undefined, { say }: Words): PendingAction[] {
  if (state === 'waiting') return [];
  const discard = { text: say('pending.discard'), work: () => discardChange(id), look: 'danger' } as const;
  if (!house) return [discard];
  const open = { text: say('pending.openHouse', { house: house.name }), work: () => enterHouse(house.id) };
  return [{ ...open, look: 'primary' }, discard];
}

/** Returns the texts of an item that could not be added, for the form. */
function textsOf({ request }: StoredChange): Record<string, string> {
  const fields = Object.entries(fromWireNames(request.body ?? {}));
  return Object.fromEntries(
    fields.map(([name, value]) => [name, Array.isArray(value) ? value.join('\n') : String(value ?? '')]),
  );
}

/** Undoes a change that waits: it is dropped or, if the server may know it, undone after it. */
async function undoWaiting(change: StoredChange): Promise<void> {
  await performUndo(actionOf(change, change.id, deltaOf(change.made)));
}

function actionOf({ itemId, itemName }: StoredChange, id: string, delta: number): Action {
  return entryAction({ id, itemId, delta: delta || null, what: { kind: 'correct', name: itemName } });
}

async function discardChange(id: string): Promise<void> {
  const dropped = await activeQueue()?.drop(id, 'discard');
  for (const change of dropped ?? []) {
    const { made, problem } = change;
    const stands = made.kind === 'undo' && problem?.code !== 'entry_not_found';
    discarded(change.id, stands ? actionOf(change, made.of, -made.delta) : null);
  }
}

async function deliverOnly(id: string, units: number): Promise<void> {
  await activeQueue()?.retry(id, (change) => {
    const { request } = change;
    if (request.route !== 'PUT /inventory-items/:id') return change;
    const headers = { ...request.headers, 'stock-base': String(units) };
    const body = { ...request.body, quantity: '0' };
    return { ...change, made: { kind: 'move', delta: -units }, request: { ...request, body, headers } };
  });
}

function whatText({ made }: StoredChange, words: Words): string {
  const { say, number } = words;
  if (made.kind === 'count') return say('pending.counted', { count: number(made.counted) });
  if (made.kind === 'add') return say('pending.add');
  if (made.kind === 'undo') return `${say('pending.undo')} ${signed(made.delta, words)}`;
  const count = number(Math.abs(made.delta));
  return made.delta < 0 ? say('pending.deliver', { count }) : say('pending.receive', { count });
}

function signed(units: number, { number }: Words): string {
  return `${units > 0 ? '+' : '−'}${number(Math.abs(units))}`;
}

function reasonText({ problem }: StoredChange, words: Words): string {
  if (problem?.code === 'code_taken') return words.say('pending.codeTaken');
  if (problem?.code === 'invalid_input') return words.say('pending.invalid');
  const { code = 'internal', status = 500, onHand } = problem ?? {};
  return problemText(new ApiProblem(code, status, onHand === undefined ? {} : { onHand }), words);
}
