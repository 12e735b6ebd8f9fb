import { useBoot } from '../../api/boot.ts';
import { call } from '../../api/client.ts';
import { useSession } from '../../live/session-provider.tsx';
import { isDashboardPath, paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { EmailField, TextField } from '../../ui/form/field.tsx';
import { notify } from '../../ui/toast.ts';
import { useWords } from '../../words/words.tsx';
import { checks } from './checks.ts';
import { FormError, Redirect } from './form-parts.tsx';
import { Panels } from './panels.tsx';
import { PasswordField } from './password-field.tsx';
import styles from './register-page.module.css';
import { useReturnPath, withReturnPath } from './return-path.ts';
import { SocialButtons } from './social-buttons.tsx';
import { useAuthForm } from './use-auth-form.ts';
import { useSocialError } from './use-social-error.ts';

export function RegisterPage() {
  const { say } = useWords();
  const { user, signUp } = useBoot();
  const { setUser } = useSession();
  const from = useReturnPath();
  const { form, field, submit, formError, showError } = useAuthForm({
    fields: { name: checks.name, email: checks.email, password: checks.newPassword },
    send: async ({ name, email, password }) => {
      const { data: reply } = await call('POST /api/auth/sign-up/email', {
        body: { name: name.trim(), email: email.trim(), password, returnTo: from },
      });
      setUser(reply.user);
      // On the way to the dashboard, the verification gate tells the user that the email was sent.
      if (!isDashboardPath(from))
        notify({ kind: 'success', id: 'verifySent', text: say('register.sent', { email: reply.user.email }) });
    },
    phrase: (message) => say('register.error', { message }),
    onError: (text) => notify({ kind: 'error', id: 'registerError', text }),
  });

  useSocialError(paths.register, user === null, showError);

  if (user) return <Redirect to={from} />;
  return (
    <Panels
      pitch={{
        eyebrow: say('register.pitch.eyebrow'),
        heading: say('register.pitch.heading'),
        text: say('register.pitch.text'),
        link: { text: say('register.login'), to: withReturnPath(paths.login, from) },
      }}
    >
      <h1>{say('register.heading')}</h1>
      {signUp !== 'open' && <p>{say(`register.${signUp}`)}</p>}
      <FormError error={formError} />
      {signUp !== 'closed' && (
        <>
          <form {...form} className={styles.form}>
            <TextField {...field('name')} label={say('identity.name')} autoComplete="name" dir="auto" />
            <EmailField {...field('email')} label={say('identity.email')} />
            <PasswordField
              {...field('password')}
              label={say('identity.password')}
              hint={say('identity.passwordHint')}
              autoComplete="new-password"
            />
            <Button {...submit} look="primary">
              {say('register.submit')}
            </Button>
          </form>
          <SocialButtons page={paths.register} returnTo={from} onError={showError} />
        </>
      )}
    </Panels>
  );
}
