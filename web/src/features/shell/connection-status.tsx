import { useEffect, useState } from 'react';
import { useNotifyLoadFailed } from '../../lazy/load-failed.ts';
import { queueState } from '../../live/active-queue.ts';
import { useConnection } from '../../live/live-items.ts';
import { seenAt } from '../../live/seen-data.ts';
import { notify, prepareToasts } from '../../ui/toast.ts';
import { when } from '../../words/when.ts';
import { useWords } from '../../words/words.tsx';
import { unsentTotal } from '../counts/entry-outbox.ts';
import styles from './connection-status.module.css';
import { LazyPendingChanges, loadPendingChanges } from './lazy-pending-changes.tsx';

/** Shorter interruptions are not shown, nor is a change that is sent sooner. */
const DELAY_MS = 1_000;
const PRELOAD_MS = 3_000;

/**
 * A warning that the page may be out of date, and a button with what waits on this device: changes of stock and entries
 * of counts. It overlays the page, so nothing shifts.
 */
export function ConnectionStatus() {
  const words = useWords();
  const { say } = words;
  const { changes, isSignedOut, isDown } = queueState.use();
  const isLostNow = useConnection() === 'lost' || isDown;
  const isLost = useDelayed(isLostNow);
  const lostAt = useLostAt(isLost);
  const seen = seenAt.use();
  const needYou = changes.filter(({ state }) => state !== 'waiting').length;
  const count = changes.length + unsentTotal.use();
  const isWaiting = useDelayed(count > 0);
  const [isOpen, setOpen] = useState(false);
  const notifyLoadFailed = useNotifyLoadFailed();
  const open = () => void loadPendingChanges().then(() => setOpen(true), notifyLoadFailed);
  useQueueToasts(changes.length > 0 && isLostNow, needYou, open);

  const age = seen ?? lostAt;
  const pending = needYou > 0 ? say('pending.needYou', { count: needYou }) : say('pending.count', { count });
  const waiting = isSignedOut ? say('pending.signedOut', { count }) : pending;
  return (
    <>
      <div className={styles.place} role="status">
        {isLost && count === 0 && (
          <p className={styles.sign}>
            {say('shell.reconnecting')}
            {age !== null && ` ${say('pending.lastUpdated', { time: when(age, Date.now(), words) })}`}
          </p>
        )}
        {count > 0 && (isWaiting || isLost || needYou > 0) && (
          <button type="button" className={`${styles.sign} ${styles.pill}`} aria-haspopup="dialog" onClick={open}>
            {isLost ? `${say('pending.offline')} · ${waiting}` : waiting}
          </button>
        )}
      </div>
      {isOpen && <LazyPendingChanges age={isLost ? age : null} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Returns true once the condition has held for a moment. */
function useDelayed(condition: boolean): boolean {
  const [holds, setHolds] = useState(false);
  useEffect(() => {
    if (!condition) return;
    const timer = setTimeout(() => setHolds(true), DELAY_MS);
    return () => {
      clearTimeout(timer);
      setHolds(false);
    };
  }, [condition]);
  return holds;
}

function useLostAt(isLost: boolean): number | null {
  const [at, setAt] = useState<number | null>(null);
  useEffect(() => setAt(isLost ? Date.now() - DELAY_MS : null), [isLost]);
  return at;
}

/** Says once that changes wait on this device, and whenever one more needs the person. */
function useQueueToasts(mustSaySaved: boolean, needYou: number, open: () => void): void {
  const { say } = useWords();
  useEffect(() => {
    const timer = setTimeout(() => {
      for (const load of [loadPendingChanges, prepareToasts]) load().catch(() => {});
    }, PRELOAD_MS);
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => {
    if (mustSaySaved) notify({ kind: 'info', id: 'pending-saved', text: say('pending.saved') });
  }, [mustSaySaved, say]);
  const [known, setKnown] = useState(0);
  useEffect(() => {
    setKnown(needYou);
    if (needYou <= known) return;
    const action = { text: say('pending.view'), run: open };
    notify({ kind: 'error', id: 'pending-need-you', text: say('pending.needYou', { count: needYou }), action });
  }, [needYou, known, say, open]);
}
