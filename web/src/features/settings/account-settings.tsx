import { useState } from 'react';
import { useBoot } from '../../api/boot.ts';
import { ApiProblem, call } from '../../api/client.ts';
import { useSession } from '../../live/session-provider.tsx';
import { withProof } from '../../live/with-proof.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/form/field.tsx';
import { notify } from '../../ui/toast.ts';
import { useWords } from '../../words/words.tsx';
import { checks } from '../identity/checks.ts';
import { FormError } from '../identity/form-parts.tsx';
import { PasswordField } from '../identity/password-field.tsx';
import { requestReset } from '../identity/request-reset.ts';
import { useAuthForm } from '../identity/use-auth-form.ts';
import styles from './account-settings.module.css';
import { refetchSessions } from './sessions-query.ts';

export function AccountSettings() {
  const { user } = useBoot();
  const [hasPassword, setHasPassword] = useState(user?.providers.includes('password') ?? true);
  return (
    <>
      <NameForm />
      {hasPassword ? <PasswordForm onNone={() => setHasPassword(false)} /> : <NoPassword />}
    </>
  );
}

function NameForm() {
  const { say } = useWords();
  const { user } = useBoot();
  const { setUser } = useSession();
  const { form, field, submit, formError } = useAuthForm({
    fields: { name: checks.name },
    send: async ({ name }) => {
      const { data } = await call('POST /api/auth/update-user', { body: { name } });
      setUser(data.user);
      notify({ kind: 'success', id: 'nameSaved', text: say('settings.name.saved') });
    },
  });
  return (
    <form {...form} className={styles.form}>
      <FormError error={formError} />
      <TextField
        {...field('name')}
        label={say('identity.name')}
        defaultValue={user?.displayName ?? ''}
        autoComplete="name"
      />
      <Button {...submit}>{say('save')}</Button>
    </form>
  );
}

function PasswordForm({ onNone }: { onNone: () => void }) {
  const { say } = useWords();
  const { user } = useBoot();
  const { form, field, submit, formError, setErrors, focus } = useAuthForm({
    fields: { currentPassword: checks.password, newPassword: checks.newPassword },
    send: async (body): Promise<void> => {
      try {
        await withProof(() => call('POST /api/auth/change-password', { body }));
      } catch (problem) {
        const code = problem instanceof ApiProblem ? problem.code : null;
        if (code === 'no_password') return onNone();
        if (code !== 'wrong_password') throw problem;
        setErrors({ currentPassword: say('settings.password.wrong') });
        focus('currentPassword');
        return;
      }
      form.ref.current?.reset();
      refetchSessions();
      notify({ kind: 'success', id: 'passwordSaved', text: say('settings.password.saved') });
    },
  });
  return (
    <form {...form} className={styles.form}>
      <h3>{say('settings.password')}</h3>
      <FormError error={formError} />
      {/* Password managers need the user name. It is hidden, because users do not. */}
      <input hidden type="text" name="username" autoComplete="username" value={user?.email ?? ''} readOnly />
      <PasswordField
        {...field('currentPassword')}
        label={say('settings.password.current')}
        autoComplete="current-password"
      />
      <PasswordField
        {...field('newPassword')}
        label={say('identity.newPassword')}
        hint={say('identity.passwordHint')}
        autoComplete="new-password"
      />
      <Button {...submit}>{say('settings.password.save')}</Button>
    </form>
  );
}

/** Shown to users who signed in through a social account and have no password: they set one through an emailed link. */
function NoPassword() {
  const words = useWords();
  const { say } = words;
  const { user, demo } = useBoot();
  const { form, submit, formError } = useAuthForm({
    fields: {},
    send: () => requestReset(user?.email ?? '', demo, words),
  });
  return (
    <form {...form} className={styles.form}>
      <h3>{say('settings.password')}</h3>
      <FormError error={formError} />
      <p role="status">{say('settings.password.none')}</p>
      <Button {...submit}>{say('settings.password.send')}</Button>
    </form>
  );
}
