import { browserName } from '@perfume/domain/browser-name';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { withProof } from '../../live/with-proof.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/form/field.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { notify } from '../../ui/toast.ts';
import { when } from '../../words/when.ts';
import { useWords } from '../../words/words.tsx';
import { checks } from '../identity/checks.ts';
import { FormError } from '../identity/form-parts.tsx';
import { canUsePasskeys, makePasskey, passkeyErrorText } from '../identity/passkeys.ts';
import { type Passkey, refetchSecondSteps, secondStepsQuery } from '../identity/second-steps-query.ts';
import { useAuthForm } from '../identity/use-auth-form.ts';
import styles from './session-settings.module.css';
import { refetchSessions } from './sessions-query.ts';
import own from './two-step-settings.module.css';

/** A list of the user's passkeys, with buttons to add, rename and remove them. */
export function PasskeySettings() {
  const words = useWords();
  const { say } = words;
  const { data, error, isFetching, refetch } = useQuery(secondStepsQuery);
  const [busy, setBusy] = useState(false);
  const [renaming, setRenaming] = useState<Passkey | null>(null);
  const [removing, setRemoving] = useState<Passkey | null>(null);

  async function run(action: () => Promise<unknown>, done: string) {
    if (busy) return;
    setBusy(true);
    try {
      await withProof(action);
      await refetchSecondSteps();
      refetchSessions();
      notify({ kind: 'success', id: 'passkeys', text: done });
    } catch (problem) {
      notify({ kind: 'error', id: 'passkeys', text: passkeyErrorText(problem, words) });
    }
    setBusy(false);
  }

  const add = () =>
    run(async () => {
      const response = await makePasskey();
      const name = browserName(navigator.userAgent) ?? say('settings.passkeys.unnamed');
      await call('POST /api/auth/passkey/verify-registration', { body: { response, name } });
    }, say('settings.passkeys.added'));
  const remove = (passkey: Passkey) => {
    setRemoving(null);
    const body = { id: passkey.id };
    void run(
      () => call('POST /api/auth/passkey/delete-passkey', { body }),
      say('settings.passkeys.removed', { name: passkey.name }),
    );
  };

  if (!data) {
    if (!error || isFetching) return <Skeleton width="min(24rem, 100%)" height="3rem" />;
    return (
      <div className={styles.failed} role="alert">
        <p>{say('settings.passkeys.failed')}</p>
        <Button onClick={() => void refetch()}>{say('retry')}</Button>
      </div>
    );
  }
  const time = (text: string) => when(Date.parse(text), Date.now(), words);
  return (
    <div>
      {data.passkeys.length > 0 && (
        <ul className={styles.list} aria-label={say('settings.passkeys')}>
          {data.passkeys.map((passkey) => (
            <li key={passkey.id} className={styles.signIn}>
              <span className={styles.name}>
                <bdi>{passkey.name}</bdi>
              </span>
              <span className={styles.since}>
                {passkey.lastUsedAt
                  ? say('settings.passkeys.used', { when: time(passkey.lastUsedAt) })
                  : say('settings.passkeys.since', { when: time(passkey.createdAt) })}
              </span>
              <span className={`${styles.end} ${own.buttons}`}>
                <Button
                  size="s"
                  aria-label={say('settings.passkeys.renameOf', { name: passkey.name })}
                  onClick={() => setRenaming(passkey)}
                >
                  {say('settings.passkeys.rename')}
                </Button>
                <Button
                  size="s"
                  aria-label={say('settings.passkeys.removeOf', { name: passkey.name })}
                  onClick={() => setRemoving(passkey)}
                >
                  {say('settings.passkeys.remove')}
                </Button>
              </span>
            </li>
          ))}
        </ul>
      )}
      {canUsePasskeys() ? (
        <Button busy={busy} onClick={() => void add()}>
          {say('settings.passkeys.add')}
        </Button>
      ) : (
        <p>{say('settings.passkeys.unavailable')}</p>
      )}
      {renaming && (
        <RenameDialog
          passkey={renaming}
          onClose={() => setRenaming(null)}
          onName={(name) => {
            setRenaming(null);
            const body = { id: renaming.id, name };
            void run(() => call('POST /api/auth/passkey/update-passkey', { body }), say('settings.passkeys.renamed'));
          }}
        />
      )}
      {removing && (
        <Confirm
          title={say('settings.passkeys.removeOf', { name: removing.name })}
          text={say('settings.passkeys.question')}
          confirmLabel={say('settings.passkeys.remove')}
          cancelLabel={say('delete.cancel')}
          onConfirm={() => remove(removing)}
          onCancel={() => setRemoving(null)}
        />
      )}
    </div>
  );
}

type RenameProps = { passkey: Passkey; onName: (name: string) => void; onClose: () => void };

function RenameDialog({ passkey, onName, onClose }: RenameProps) {
  const { say } = useWords();
  const { form, field, submit, formError } = useAuthForm({
    fields: { name: checks.name },
    send: async ({ name }) => onName(name.trim()),
  });
  return (
    <Dialog
      title={say('settings.passkeys.renameOf', { name: passkey.name })}
      closeLabel={say('dialog.close')}
      onClose={onClose}
    >
      <form {...form} className={own.form}>
        <FormError error={formError} />
        <TextField {...field('name')} label={say('identity.name')} defaultValue={passkey.name} autoComplete="off" />
        <Button {...submit} look="primary">
          {say('save')}
        </Button>
      </form>
    </Dialog>
  );
}
