import { personMark } from '@perfume/domain/person-mark';
import { useState } from 'react';
import { useBoot } from '../../api/boot.ts';
import { ApiProblem, call } from '../../api/client.ts';
import { startLogOut } from '../../api/session.ts';
import { activeQueue } from '../../live/active-queue.ts';
import { problemText } from '../../live/problem-text.ts';
import { withProof } from '../../live/with-proof.ts';
import { paths, serverPaths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { downloadFrom } from '../../ui/download.ts';
import { notify } from '../../ui/toast.ts';
import { useWords } from '../../words/words.tsx';
import { forgetEntries } from '../counts/entry-outbox.ts';
import styles from './data-settings.module.css';

/** The user's own data: download it, or remove the account. */
export function DataSettings() {
  const words = useWords();
  const { say } = words;
  const { user } = useBoot();
  const [state, setState] = useState<'idle' | 'asking' | 'removing'>('idle');

  async function remove() {
    setState('removing');
    try {
      await withProof(() => call('POST /api/auth/delete-user', { body: {} }));
    } catch (problem) {
      const isShared = problem instanceof ApiProblem && problem.code === 'demo_account';
      const text = isShared ? say('settings.remove.demo') : problemText(problem, words);
      notify({ kind: 'error', id: 'removeAccount', text });
      return setState('idle');
    }
    // Drafts and everything else of the user in this browser go too, also what was not sent: nobody can send it any more.
    await activeQueue()
      ?.clear()
      .catch(() => {});
    forgetEntries(user?.id ?? '');
    if (user) startLogOut(user);
    location.assign(paths.home);
  }

  return (
    <>
      <div className={styles.choice}>
        <p>{say('settings.data.hint')}</p>
        <Button onClick={() => downloadFrom(serverPaths.accountData)}>{say('settings.data.download')}</Button>
      </div>
      <div className={styles.choice}>
        <p>{say('settings.remove.hint')}</p>
        <Button look="danger" aria-haspopup="dialog" busy={state === 'removing'} onClick={() => setState('asking')}>
          {say('settings.remove')}
        </Button>
      </div>
      {state === 'asking' && <RemoveDialog onConfirm={() => void remove()} onCancel={() => setState('idle')} />}
    </>
  );
}

/** Says what goes and what stays before the account is removed. */
function RemoveDialog({ onConfirm, onCancel }: { onConfirm: () => void; onCancel: () => void }) {
  const { say } = useWords();
  const { user } = useBoot();
  if (!user) return null;
  return (
    <Confirm
      title={say('settings.remove.title')}
      text={say('settings.remove.text')}
      confirmLabel={say('settings.remove')}
      cancelLabel={say('settings.remove.cancel')}
      onConfirm={onConfirm}
      onCancel={onCancel}
    >
      <div className={styles.parts}>
        <h3>{say('settings.remove.goes')}</h3>
        <ul>
          <li>{say('settings.remove.goes.account')}</li>
          <li>{say('settings.remove.goes.sessions')}</li>
          <li>{say('settings.remove.goes.browser')}</li>
        </ul>
        <h3>{say('settings.remove.stays')}</h3>
        <ul>
          <li>{say('settings.remove.stays.history', { mark: personMark(user.id) })}</li>
          <li>{say('settings.remove.stays.ledger')}</li>
          <li>{say('settings.remove.stays.items', { email: user.email })}</li>
        </ul>
      </div>
    </Confirm>
  );
}
