import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { problemText } from '../../live/problem-text.ts';
import { withProof } from '../../live/with-proof.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { notify } from '../../ui/toast.ts';
import { when } from '../../words/when.ts';
import { useWords } from '../../words/words.tsx';
import styles from './session-settings.module.css';
import { revoke, revokeOthers, type Session, sessionsQuery } from './sessions-query.ts';

/** A list of the user's sessions, with buttons to log out the other browsers. */
export function SessionSettings() {
  const words = useWords();
  const { say } = words;
  const { data, error, isFetching, refetch } = useQuery(sessionsQuery);
  const list = useRef<HTMLUListElement>(null);
  const [revoking, setRevoking] = useState<Session | 'others' | null>(null);

  async function logOut(what: Session | 'others') {
    if (revoking !== null) return;
    setRevoking(what);
    try {
      await withProof(() => (what === 'others' ? revokeOthers() : revoke(what)));
      // The pressed button disappears with its session, so the list gets the focus.
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
    setRevoking(null);
  }

  const name = ({ userAgent }: Session) => userAgent ?? say('settings.sessions.unknown');

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
        {[...here, ...others].map((session) => (
          <li key={session.id} className={styles.signIn}>
            <span className={styles.name}>{name(session)}</span>
            <span id={session.id} className={styles.since}>
              {say('settings.sessions.since', { when: when(Date.parse(session.createdAt), Date.now(), words) })}
            </span>
            <span className={styles.end}>
              {session.isThisOne ? (
                <Badge tone="good">{say('settings.sessions.here')}</Badge>
              ) : (
                <Button
                  size="s"
                  busy={revoking === session}
                  aria-label={say('settings.sessions.endOf', { browser: name(session) })}
                  aria-describedby={session.id}
                  onClick={() => void logOut(session)}
                >
                  {say('settings.sessions.end')}
                </Button>
              )}
            </span>
          </li>
        ))}
      </ul>
      {others.length > 1 && (
        <Button busy={revoking === 'others'} onClick={() => void logOut('others')}>
          {say('settings.sessions.endOthers')}
        </Button>
      )}
    </div>
  );
}
