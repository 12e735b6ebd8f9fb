import type { ProviderId } from '@perfume/contract/identity';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useBoot } from '../../api/boot.ts';
import { call } from '../../api/client.ts';
import { useSession } from '../../live/session-provider.tsx';
import { withProof } from '../../live/with-proof.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { notify } from '../../ui/toast.ts';
import { useWords } from '../../words/words.tsx';
import { authErrorText } from '../identity/auth-error-text.ts';
import { ProviderMark } from '../identity/provider-mark.tsx';
import { secondStepsQuery } from '../identity/second-steps-query.ts';
import own from './provider-settings.module.css';
import styles from './session-settings.module.css';
import { refetchSessions } from './sessions-query.ts';

/** The providers that log in to this account, each with a button to unlink it. */
export function ProviderSettings({ linked }: { linked: readonly ProviderId[] }) {
  const words = useWords();
  const { say } = words;
  const { user, providerNames } = useBoot();
  const { setUser } = useSession();
  const { data } = useQuery(secondStepsQuery);
  const [asking, setAsking] = useState<ProviderId | null>(null);
  const [busy, setBusy] = useState<ProviderId | null>(null);
  const nameOf = (id: ProviderId) => providerNames[id] ?? id;
  const isOnlyWay = user?.providers.length === 1 && data?.passkeys.length === 0;

  async function unlink(id: ProviderId) {
    setAsking(null);
    if (busy) return;
    setBusy(id);
    try {
      const body = { providerId: id };
      const { data } = await withProof(() => call('POST /api/auth/unlink-account', { body }));
      setUser(data.user);
      refetchSessions();
      notify({ kind: 'success', id: 'providers', text: say('settings.providers.unlinked', { name: nameOf(id) }) });
    } catch (problem) {
      notify({ kind: 'error', id: 'providers', text: authErrorText(problem, words) });
    }
    setBusy(null);
  }

  return (
    <div>
      <ul className={styles.list} aria-label={say('settings.providers')}>
        {linked.map((id) => (
          <li key={id} className={styles.signIn}>
            <span className={`${styles.name} ${own.name} ${isOnlyWay ? '' : own.alone}`}>
              <ProviderMark of={id} />
              <bdi>{nameOf(id)}</bdi>
            </span>
            {isOnlyWay ? (
              <span className={styles.since}>{say('settings.providers.only')}</span>
            ) : (
              <span className={styles.end}>
                <Button
                  size="s"
                  busy={busy === id}
                  aria-label={say('settings.providers.unlinkOf', { name: nameOf(id) })}
                  onClick={() => setAsking(id)}
                >
                  {say('settings.providers.unlink')}
                </Button>
              </span>
            )}
          </li>
        ))}
      </ul>
      {asking && (
        <Confirm
          title={say('settings.providers.unlinkOf', { name: nameOf(asking) })}
          text={say('settings.providers.question', { name: nameOf(asking) })}
          confirmLabel={say('settings.providers.unlink')}
          cancelLabel={say('delete.cancel')}
          onConfirm={() => void unlink(asking)}
          onCancel={() => setAsking(null)}
        />
      )}
    </div>
  );
}
