import type { WireUser } from '@perfume/contract/identity';
import { useState } from 'react';
import { ApiProblem, call } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/form/field.tsx';
import { useWords } from '../../words/words.tsx';
import { checks } from './checks.ts';
import { CodeField } from './code-field.tsx';
import { FormError } from './form-parts.tsx';
import styles from './login-page.module.css';
import { useAuthForm } from './use-auth-form.ts';

type Props = {
  onLogin: (user: WireUser) => void;
  /** Called when the user has to enter the password again. `text` says why. */
  onBack: (text?: string) => void;
};

/** The second step of a login: a code of the authenticator app, or a recovery code. */
export function CodeStep({ onLogin, onBack }: Props) {
  const { say } = useWords();
  const [way, setWay] = useState<'app' | 'recovery'>('app');
  const { form, field, submit, formError } = useAuthForm({
    fields: { code: checks.password },
    send: async (body) => {
      const path = way === 'app' ? 'verify-totp' : 'verify-backup-code';
      const { data } = await call(`POST /api/auth/two-factor/${path}`, { body });
      onLogin(data.user);
    },
    onError: (text, problem) => {
      if (problem instanceof ApiProblem && problem.code === 'login_expired') onBack(text);
    },
  });
  return (
    <>
      <h1>{say('codeStep.heading')}</h1>
      <p>{say(way === 'app' ? 'codeStep.text' : 'codeStep.recoveryText')}</p>
      <FormError error={formError} />
      <form {...form} className={styles.form}>
        {way === 'app' ? (
          <CodeField {...field('code')} />
        ) : (
          <TextField
            {...field('code')}
            key="recovery"
            label={say('codeStep.recoveryCode')}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            dir="ltr"
            autoFocus
          />
        )}
        <Button {...submit} look="primary">
          {say('login.submit')}
        </Button>
        <div className={styles.row}>
          <Button look="plain" size="s" onClick={() => setWay(way === 'app' ? 'recovery' : 'app')}>
            {say(way === 'app' ? 'codeStep.useRecovery' : 'codeStep.useApp')}
          </Button>
          <Button look="plain" size="s" onClick={() => onBack()}>
            {say('codeStep.back')}
          </Button>
        </div>
      </form>
    </>
  );
}
