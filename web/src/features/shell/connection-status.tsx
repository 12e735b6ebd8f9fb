import { useEffect, useState } from 'react';
import { useConnection } from '../../live/live-items.ts';
import { useWords } from '../../words/words.tsx';
import styles from './connection-status.module.css';

/** A connection that is back within this time was not worth a word. */
const PATIENCE_MS = 1_000;

/** Says that what is on screen may have become old. It hangs from the header's edge and moves nothing. */
export function ConnectionStatus() {
  const { say } = useWords();
  const lost = useConnection() === 'lost';
  const [shown, setShown] = useState(false);
  useEffect(() => {
    if (!lost) return;
    const timer = setTimeout(() => setShown(true), PATIENCE_MS);
    return () => {
      clearTimeout(timer);
      setShown(false);
    };
  }, [lost]);
  return (
    <div className={styles.place} role="status">
      {shown && <p className={styles.sign}>{say('shell.reconnecting')}</p>}
    </div>
  );
}
