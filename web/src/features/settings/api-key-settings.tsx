import type { WireKey } from '@perfume/contract/api-keys';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { problemText } from '../../live/problem-text.ts';
import { serverPaths } from '../../paths.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { notify } from '../../ui/toast.ts';
import { when } from '../../words/when.ts';
import { useWords } from '../../words/words.tsx';
import styles from './api-key-settings.module.css';
import { apiKeysQuery, revokeApiKey } from './api-keys-query.ts';
import { NewApiKey } from './new-api-key.tsx';

/** The user's API keys, and a form to make one. */
export function ApiKeySettings() {
  const words = useWords();
  const { say } = words;
  const { data, error, isFetching, refetch } = useQuery(apiKeysQuery);
  const list = useRef<HTMLDivElement>(null);
  const [asking, setAsking] = useState<WireKey | null>(null);
  const [busy, setBusy] = useState(false);

  async function revoke(key: WireKey) {
    setBusy(true);
    try {
      await revokeApiKey(key);
      notify({ kind: 'success', id: 'apiKeys', text: say('settings.keys.revoked', { name: key.name }) });
    } catch (problem) {
      const text = `${say('settings.keys.notRevoked')} ${problemText(problem, words)}`;
      notify({ kind: 'error', id: 'apiKeys', text });
    }
    setBusy(false);
    setAsking(null);
    // The pressed button disappears with its key, so the list gets the focus.
    list.current?.focus();
  }

  if (!data) {
    if (!error || isFetching) return <Skeleton width="min(24rem, 100%)" height="6rem" />;
    return (
      <div className={styles.failed} role="alert">
        <p>{say('settings.keys.failed')}</p>
        <Button onClick={() => void refetch()}>{say('retry')}</Button>
      </div>
    );
  }
  return (
    <>
      <div ref={list} tabIndex={-1} className={styles.keys}>
        {data.length === 0 ? (
          <p className={styles.empty}>{say('settings.keys.none')}</p>
        ) : (
          <ul className={styles.list} aria-label={say('settings.keys')}>
            {data.map((key) => (
              <KeyRow key={key.id} apiKey={key} onRevoke={() => setAsking(key)} />
            ))}
          </ul>
        )}
        <p className={styles.docs}>
          <a href={serverPaths.apiReference}>{say('settings.keys.docs')}</a>
        </p>
      </div>
      <NewApiKey />
      {asking && (
        <Confirm
          title={say('settings.keys.ask', { name: asking.name })}
          text={say('settings.keys.askText')}
          confirmLabel={say('settings.keys.revoke')}
          cancelLabel={say('delete.cancel')}
          busy={busy}
          onConfirm={() => void revoke(asking)}
          onCancel={() => setAsking(null)}
        />
      )}
    </>
  );
}

function KeyRow({ apiKey, onRevoke }: { apiKey: WireKey; onRevoke: () => void }) {
  const words = useWords();
  const { say } = words;
  const { id, name, scope, expiresOn, isExpired, lastUsedAt } = apiKey;
  const used = lastUsedAt
    ? say('settings.keys.used', { when: when(Date.parse(lastUsedAt), Date.now(), words) })
    : say('settings.keys.unused');
  // The date is a day in UTC. At noon it is the same day in almost every time zone.
  const day = expiresOn && words.date(Date.parse(`${expiresOn}T12:00:00Z`));
  const ends = day ? say('settings.keys.expires', { day }) : say('settings.keys.noExpiry');
  return (
    <li className={styles.key}>
      <span className={styles.name}>{name}</span>
      <span id={id} className={styles.facts}>
        <span>{say(`settings.keys.scope.${scope}`)}</span>
        {isExpired ? <Badge tone="bad">{say('settings.keys.expired')}</Badge> : <span>{ends}</span>}
        <span>{used}</span>
      </span>
      <span className={styles.end}>
        <Button
          size="s"
          aria-label={say('settings.keys.revokeNamed', { name })}
          aria-describedby={id}
          onClick={onRevoke}
        >
          {say('settings.keys.revoke')}
        </Button>
      </span>
    </li>
  );
}
