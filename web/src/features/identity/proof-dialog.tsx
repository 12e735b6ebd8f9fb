import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { useBoot } from '../../api/boot.ts';
import { ApiProblem, call } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/form/field.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useWords } from '../../words/words.tsx';
import { checks } from './checks.ts';
import { FormError } from './form-parts.tsx';
import { PasskeyButton } from './passkey-button.tsx';
import { PasswordField } from './password-field.tsx';
import styles from './proof-dialog.module.css';
import { type SecondSteps, secondStepsQuery } from './second-steps-query.ts';
import { SocialButtons } from './social-buttons.tsx';
import { useAuthForm } from './use-auth-form.ts';

type Props = { answer: (isProven: boolean) => void };

/**
 * Asks the user to prove who they are, in the ways that they have. A provider leads away from the page: for an account
 * without a second step, a new login is a proof, and the user comes back to the same page.
 */
export function ProofDialog({ answer }: Props) {
  const { say } = useWords();
  const { data, error, refetch } = useQuery(secondStepsQuery);
  return (
    <Dialog
      title={say('proof.heading')}
      description={say('proof.text')}
      closeLabel={say('dialog.close')}
      onClose={() => answer(false)}
    >
      {data ? (
        <Ways answer={answer} secondSteps={data} />
      ) : error ? (
        <div role="alert" className={styles.ways}>
          <p>{say('part.failed')}</p>
          <Button onClick={() => void refetch()}>{say('retry')}</Button>
        </div>
      ) : (
        <Skeleton width="100%" height="8rem" />
      )}
    </Dialog>
  );
}

function Ways({ answer, secondSteps }: Props & { secondSteps: SecondSteps }) {
  const { say } = useWords();
  const { user } = useBoot();
  const { twoStep } = secondSteps;
  const { form, field, submit, formError, showError, setErrors, focus } = useAuthForm({
    fields: { password: checks.password, code: twoStep ? checks.password : () => undefined },
    send: async ({ password, code }) => {
      try {
        await call('POST /api/auth/prove', { body: { password, ...(twoStep && { code }) } });
        answer(true);
      } catch (problem) {
        const wrong = problem instanceof ApiProblem ? problem.code : null;
        if (wrong !== 'wrong_password' && wrong !== 'wrong_code') throw problem;
        const name = wrong === 'wrong_code' ? 'code' : 'password';
        setErrors({ [name]: say(wrong === 'wrong_code' ? 'authProblem.wrong_code' : 'proof.wrongPassword') });
        focus(name);
      }
    },
  });
  const ways = user?.providers ?? [];
  const focusPassword = useEffectEvent(() => {
    if (ways.includes('password') && secondSteps.passkeys.length === 0) focus('password');
  });
  useEffect(() => focusPassword(), []);
  return (
    <div className={styles.ways}>
      <FormError error={formError} />
      {secondSteps.passkeys.length > 0 && (
        <PasskeyButton
          label={say('proof.passkey')}
          onPasskey={async (passkey) => {
            await call('POST /api/auth/prove', { body: { passkey } });
            answer(true);
          }}
          onError={showError}
        />
      )}
      {ways.includes('password') && (
        <form {...form} className={styles.ways}>
          <input hidden type="text" name="username" autoComplete="username" value={user?.email ?? ''} readOnly />
          <PasswordField {...field('password')} label={say('identity.password')} autoComplete="current-password" />
          {twoStep && <TextField {...field('code')} label={say('proof.code')} autoComplete="one-time-code" dir="ltr" />}
          <Button {...submit} look="primary">
            {say('proof.submit')}
          </Button>
        </form>
      )}
      <SocialButtons
        only={twoStep || secondSteps.passkeys.length > 0 ? [] : ways}
        page="/login"
        returnTo={`${location.pathname}${location.search}`}
        onError={showError}
      />
    </div>
  );
}
