import type { WireUser } from '@perfume/contract/identity';
import { useEffect, useState } from 'react';
import { useBoot } from '../../api/boot.ts';
import { ApiProblem, call } from '../../api/client.ts';
import { noteBriefLogin, takeForcedLogout } from '../../api/session.ts';
import { lazyPart } from '../../lazy/lazy-part.tsx';
import { useSession } from '../../live/session-provider.tsx';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/form/checkbox.tsx';
import { EmailField } from '../../ui/form/field.tsx';
import { notify } from '../../ui/toast.ts';
import { useWords } from '../../words/words.tsx';
import { checks } from './checks.ts';
import { FormError, Notice, Redirect } from './form-parts.tsx';
import styles from './login-page.module.css';
import { Panels } from './panels.tsx';
import { PasskeyButton } from './passkey-button.tsx';
import { PasswordField } from './password-field.tsx';
import { requestReset } from './request-reset.ts';
import { useReturnPath, withReturnPath } from './return-path.ts';
import { SocialButtons } from './social-buttons.tsx';
import { useAuthForm } from './use-auth-form.ts';
import { useSocialError } from './use-social-error.ts';

// Only accounts with a two-step login need it.
const CodeStep = lazyPart(async () => (await import('./code-step.tsx')).CodeStep);

export function LoginPage() {
  const words = useWords();
  const { say } = words;
  const { user, demo, signUp } = useBoot();
  const { setUser } = useSession();
  const from = useReturnPath();
  /** Set between the password and the code of a two-step login. */
  const [halfLogin, setHalfLogin] = useState<{ isBrief: boolean } | null>(null);
  const { form, field, submit, focus, value, formError, showError, setErrors, run } = useAuthForm({
    fields: { email: checks.email, password: checks.password },
    send: async ({ email, password }, data) => {
      const isBrief = !data.has('rememberMe');
      const { data: reply } = await call('POST /api/auth/sign-in/email', {
        body: { email: email.trim(), password, rememberMe: !isBrief },
      });
      if ('twoFactorRedirect' in reply) setHalfLogin({ isBrief });
      else logIn(reply.user, isBrief);
    },
    onError: (text, problem) => {
      notify({ kind: 'error', id: 'loginError', text });
      if (problem instanceof ApiProblem && problem.code === 'invalid_email_or_password') focus('password');
    },
  });
  const [isRequesting, setRequesting] = useState(false);
  useSocialError(paths.login, user === null, showError);

  /** Whether 'Remember me' is off. It applies to every way of logging in. */
  const isBrief = () => !new FormData(form.ref.current ?? undefined).has('rememberMe');

  function logIn(user: WireUser, isBrief: boolean) {
    if (isBrief) noteBriefLogin();
    setUser(user);
  }

  async function forgot() {
    const email = value('email');
    if (email.trim() === '') {
      focus('email');
      return notify({ kind: 'error', id: 'resetEmail', text: say('forgot.empty') });
    }
    const wrong = checks.email(email);
    if (wrong) {
      setErrors({ email: wrong });
      return focus('email');
    }
    setRequesting(true);
    await run(() => requestReset(email, demo, words));
    setRequesting(false);
  }

  if (user) return <Redirect to={from} />;
  return (
    <Panels
      pitch={{
        eyebrow: say('login.pitch.eyebrow'),
        heading: say('login.pitch.heading'),
        text: say(`login.pitch.${signUp}`),
        ...(signUp !== 'closed' && {
          link: { text: say('login.getStarted'), to: withReturnPath(paths.register, from) },
        }),
      }}
    >
      {halfLogin ? (
        <CodeStep
          onLogin={(user) => logIn(user, halfLogin.isBrief)}
          onBack={(text) => {
            setHalfLogin(null);
            if (text) showError(text);
          }}
        />
      ) : (
        <>
          <h1>{say('login.heading')}</h1>
          <LoggedOut />
          <FormError error={formError} />
          <form {...form} className={styles.form}>
            <EmailField {...field('email')} label={say('identity.email')} autoComplete="username" />
            <PasswordField {...field('password')} label={say('identity.password')} autoComplete="current-password" />
            <div className={styles.row}>
              <Checkbox label={say('login.remember')} name="rememberMe" defaultChecked />
              <Button look="plain" size="s" onClick={forgot} busy={isRequesting}>
                {say('login.forgot')}
              </Button>
            </div>
            <Button {...submit} busy={submit.busy && !isRequesting} look="primary">
              {say('login.submit')}
            </Button>
          </form>
          <PasskeyButton
            label={say('passkey.login')}
            onPasskey={async (response) => {
              const brief = isBrief();
              const { data } = await call('POST /api/auth/passkey/verify-authentication', {
                body: { response, rememberMe: !brief },
              });
              logIn(data.user, brief);
            }}
            onError={showError}
          />
          <SocialButtons page={paths.login} returnTo={from} isBrief={isBrief} onError={showError} />
        </>
      )}
    </Panels>
  );
}

function LoggedOut() {
  const { say } = useWords();
  const [unsent, setUnsent] = useState<number | null>(null);
  // Shown only after the first render, which must be the same as on the server.
  useEffect(() => {
    const taken = takeForcedLogout();
    if (taken !== null) setUnsent(taken);
  }, []);
  if (unsent === null) return null;
  return (
    <Notice>
      {say('login.loggedOut')} {unsent > 0 && say('login.unsent', { count: unsent })}
    </Notice>
  );
}
