import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { problemText } from '../../live/problem-text.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { notify } from '../../ui/toast.ts';
import { when } from '../../words/when.ts';
import { useWords } from '../../words/words.tsx';
import styles from './session-settings.module.css';
import { end, endOthers, type SignIn, sessionsQuery } from './sessions-query.ts';

/** Every browser one is signed in with, and a way out of each. */
export function SessionSettings() {
  const words = useWords();
  const { say } = words;
  const { data, error, isFetching, refetch } = useQuery(sessionsQuery);
  const list = useRef<HTMLUListElement>(null);
  const [ending, setEnding] = useState<SignIn | 'others' | null>(null);

  async function finish(what: SignIn | 'others') {
    if (ending !== null) return;
    setEnding(what);
    try {
      if (what === 'others') await endOthers();
      else await end(what);
      // The button that was pressed is gone.
      list.current?.focus();
      const text =
        what === 'others'
          ? say('settings.sessions.endedOthers')
          : say('settings.sessions.ended', { browser: name(what) });
      notify({ kind: 'success', id: 'signIns', text });
    } catch (problem) {
      notify({
        kind: 'error',
        id: 'signIns',
        text: `${say('settings.sessions.notEnded')} ${problemText(problem, words)}`,
      });
    }
    setEnding(null);
  }

  const name = ({ userAgent }: SignIn) => userAgent ?? say('settings.sessions.unknown');

  if (!data) {
    if (!error || isFetching) return <Skeleton width="min(24rem, 100%)" height="6rem" />;
    return (
      <div className={styles.failed} role="alert">
        <p>{say('settings.sessions.failed')}</p>
        <Button onClick={() => void refetch()}>{say('retry')}</Button>
      </div>
    );
  }
  const others = data.filter(({ isThisOne }) => !isThisOne);
  const here = data.filter(({ isThisOne }) => isThisOne);
  return (
    <div>
      <ul className={styles.list} ref={list} tabIndex={-1} aria-label={say('settings.sessions')}>
        {[...here, ...others].map((signIn) => (
          <li key={signIn.id} className={styles.signIn}>
            <span className={styles.name}>{name(signIn)}</span>
            <span id={signIn.id} className={styles.since}>
              {say('settings.sessions.since', { when: when(Date.parse(signIn.createdAt), Date.now(), words) })}
            </span>
            <span className={styles.end}>
              {signIn.isThisOne ? (
                <Badge tone="good">{say('settings.sessions.here')}</Badge>
              ) : (
                <Button
                  size="s"
                  busy={ending === signIn}
                  aria-label={say('settings.sessions.endOf', { browser: name(signIn) })}
                  aria-describedby={signIn.id}
                  onClick={() => void finish(signIn)}
                >
                  {say('settings.sessions.end')}
                </Button>
              )}
            </span>
          </li>
        ))}
      </ul>
      {others.length > 1 && (
        <Button busy={ending === 'others'} onClick={() => void finish('others')}>
          {say('settings.sessions.endOthers')}
        </Button>
      )}
    </div>
  );
}
