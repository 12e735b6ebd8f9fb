import { personMark } from '@perfume/domain/person-mark';
import { useState } from 'react';
import { useBoot } from '../../api/boot.ts';
import { ApiProblem, call } from '../../api/client.ts';
import { notifyOtherTabs } from '../../api/session.ts';
import { clearStorage } from '../../api/stored-text.ts';
import { problemText } from '../../live/problem-text.ts';
import { paths, serverPaths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { downloadFrom } from '../../ui/download.ts';
import { notify } from '../../ui/toast.ts';
import { useWords } from '../../words/words.tsx';
import styles from './data-settings.module.css';

/** The user's own data: download it, or remove the account. */
export function DataSettings() {
  const { say } = useWords();
  const [removing, setRemoving] = useState(false);
  return (
    <>
      <div className={styles.choice}>
        <p>{say('settings.data.hint')}</p>
        <Button onClick={() => downloadFrom(serverPaths.accountData)}>{say('settings.data.download')}</Button>
      </div>
      <div className={styles.choice}>
        <p>{say('settings.remove.hint')}</p>
        <Button look="danger" aria-haspopup="dialog" onClick={() => setRemoving(true)}>
          {say('settings.remove')}
        </Button>
      </div>
      {removing && <RemoveDialog onClose={() => setRemoving(false)} />}
    </>
  );
}

function RemoveDialog({ onClose }: { onClose: () => void }) {
  const words = useWords();
  const { say } = words;
  const { user } = useBoot();
  const [busy, setBusy] = useState(false);

  async function remove() {
    setBusy(true);
    try {
      await call('POST /api/auth/delete-user', { body: {} });
    } catch (problem) {
      const isShared = problem instanceof ApiProblem && problem.code === 'demo_account';
      const why = isShared ? say('settings.remove.demo') : problemText(problem, words);
      notify({ kind: 'error', id: 'removeAccount', text: why });
      return onClose();
    }
    clearStorage();
    notifyOtherTabs();
    location.assign(paths.home);
  }

  if (!user) return null;
  return (
    <Confirm
      title={say('settings.remove.title')}
      text={say('settings.remove.text')}
      confirmLabel={say('settings.remove')}
      cancelLabel={say('settings.remove.cancel')}
      busy={busy}
      onConfirm={() => void remove()}
      onCancel={onClose}
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
