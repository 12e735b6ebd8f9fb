import { useEffect, useState } from 'react';
import { useConnection } from '../../live/live-items.ts';
import { useWords } from '../../words/words.tsx';
import styles from './connection-status.module.css';

/** Shorter interruptions are not shown. */
const DELAY_MS = 1_000;

/** A warning that the page may be out of date. It overlays the page, so nothing shifts. */
export function ConnectionStatus() {
  const { say } = useWords();
  const lost = useConnection() === 'lost';
  const [shown, setShown] = useState(false);
  useEffect(() => {
    if (!lost) return;
    const timer = setTimeout(() => setShown(true), DELAY_MS);
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
