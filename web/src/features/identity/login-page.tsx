import { useEffect, useState } from 'react';
import { useBoot } from '../../api/boot.ts';
import { ApiProblem, call } from '../../api/client.ts';
import { takeForcedLogout } from '../../api/session.ts';
import { useSession } from '../../live/session-provider.tsx';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { EmailField } from '../../ui/field.tsx';
import { notify } from '../../ui/toast.ts';
import { useWords } from '../../words/words.tsx';
import { checks } from './checks.ts';
import { Notice, RefusalText, SendOn } from './form-parts.tsx';
import styles from './login-page.module.css';
import { Panels } from './panels.tsx';
import { PasswordField } from './password-field.tsx';
import { requestReset } from './request-reset.ts';
import { doorTo, useReturnPath } from './return-path.ts';
import { SocialButtons } from './social-buttons.tsx';
import { useAuthForm } from './use-auth-form.ts';
import { useSocialError } from './use-social-error.ts';

export function LoginPage() {
  const words = useWords();
  const { say } = words;
  const { user, demo } = useBoot();
  const { setUser } = useSession();
  const from = useReturnPath();
  const { form, field, submit, focus, value, refusal, refuse, setErrors, run } = useAuthForm({
    fields: { email: checks.email, password: checks.password },
    send: async ({ email, password }, data) => {
      const { data: reply } = await call('POST /api/auth/sign-in/email', {
        body: { email: email.trim(), password, rememberMe: data.has('rememberMe') },
      });
      setUser(reply.user);
    },
    onRefused: (text, problem) => {
      notify({ kind: 'error', id: 'loginError', text });
      if (problem instanceof ApiProblem && problem.code === 'invalid_email_or_password') focus('password');
    },
  });
  const [asking, setAsking] = useState(false);
  useSocialError(paths.login, user === null, refuse);

  async function forgot() {
    const email = value('email');
    if (email.trim() === '') {
      focus('email');
      return notify({ kind: 'error', id: 'resetEmail', text: say('forgot.empty') });
    }
    const wrong = checks.email(email);
    if (wrong) {
      setErrors({ email: say(wrong) });
      return focus('email');
    }
    setAsking(true);
    await run(() => requestReset(email, demo, words));
    setAsking(false);
  }

  if (user) return <SendOn to={from} />;
  return (
    <Panels
      pitch={{
        eyebrow: say('login.pitch.eyebrow'),
        heading: say('login.pitch.heading'),
        text: say('login.pitch.text'),
        link: say('login.getStarted'),
        to: doorTo(paths.register, from),
      }}
    >
      <h1>{say('login.heading')}</h1>
      <LoggedOut />
      <RefusalText refusal={refusal} />
      <form {...form} className={styles.form}>
        <EmailField {...field('email')} label={say('identity.email')} autoComplete="username" />
        <PasswordField {...field('password')} label={say('identity.password')} autoComplete="current-password" />
        <div className={styles.row}>
          <Checkbox label={say('login.remember')} name="rememberMe" defaultChecked />
          <Button look="plain" size="s" onClick={forgot} busy={asking}>
            {say('login.forgot')}
          </Button>
        </div>
        <Button {...submit} busy={submit.busy && !asking} look="primary">
          {say('login.submit')}
        </Button>
      </form>
      <SocialButtons door={paths.login} returnTo={from} onRefused={refuse} />
    </Panels>
  );
}

function LoggedOut() {
  const { say } = useWords();
  const [shown, setShown] = useState(false);
  // Not in the first drawing, which is the server's: it does not know.
  useEffect(() => {
    if (takeForcedLogout()) setShown(true);
  }, []);
  return shown && <Notice>{say('login.loggedOut')}</Notice>;
}
