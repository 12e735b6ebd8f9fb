import { Check } from 'lucide-react';
import { useCallback, useEffect, useState } from 'react';
import { Icon } from '../../ui/icon.tsx';
import { useWords } from '../../words/words.tsx';
import styles from './saved-indicator.module.css';

const SHOWN_MS = 4_000;

/** A message next to a control that its value was saved. `count` goes up with every save. */
export function SavedIndicator({ count }: { count: number }) {
  const { say } = useWords();
  const [shown, setShown] = useState(false);
  useEffect(() => {
    if (count === 0) return;
    setShown(true);
    const timer = setTimeout(() => setShown(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [count]);
  return (
    <span role="status" className={styles.sign}>
      {shown && (
        <>
          <Icon of={Check} size={16} />
          {say('settings.saved')}
        </>
      )}
    </span>
  );
}

export function useSaved(): [count: number, saved: () => void] {
  const [count, setCount] = useState(0);
  return [count, useCallback(() => setCount((before) => before + 1), [])];
}
