import { useEffect, useRef, useState } from 'react';
import { useBoot } from '../../api/boot.ts';
import { ApiProblem, call } from '../../api/client.ts';
import { useSession } from '../../live/session-provider.tsx';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { EmailField } from '../../ui/form/field.tsx';
import { useNavigate } from '../../ui/router.tsx';
import { notify } from '../../ui/toast.ts';
import { useWords } from '../../words/words.tsx';
import { checks } from './checks.ts';
import { FormError } from './form-parts.tsx';
import { useLinkParameters } from './link-parameters.ts';
import { Panels } from './panels.tsx';
import { PasswordField } from './password-field.tsx';
import { requestReset } from './request-reset.ts';
import styles from './reset-password-page.module.css';
import { returnPath, withReturnPath } from './return-path.ts';
import { useAuthForm } from './use-auth-form.ts';

/** The page behind the link in the reset email: sets a new password, or requests a new link if this one expired. */
export function ResetPasswordPage() {
  const { say } = useWords();
  const params = useLinkParameters();
  const token = params === null ? '' : params.get('token');
  const [expired, setExpired] = useState(false);
  return (
    <Panels
      pitch={{
        eyebrow: say('reset.pitch.eyebrow'),
        heading: say('reset.pitch.heading'),
        text: say('reset.pitch.text'),
        link: { text: say('register.login'), to: paths.login },
      }}
    >
      {token === null || expired ? (
        <RequestNewLink focusHeading={expired} />
      ) : (
        <NewPassword
          key={token}
          token={token}
          returnTo={returnPath(params?.get('returnTo') ?? null)}
          isJustVerified={params?.has('verified') === true}
          onExpired={() => setExpired(true)}
        />
      )}
    </Panels>
  );
}

type NewPasswordProps = {
  token: string;
  returnTo: string;
  /** Whether the address was just verified, in a browser that did not sign up. */
  isJustVerified: boolean;
  onExpired: () => void;
};

function NewPassword({ token, returnTo, isJustVerified, onExpired }: NewPasswordProps) {
  const { say } = useWords();
  const navigate = useNavigate();
  const { clearUser } = useSession();
  const { form, field, submit, formError } = useAuthForm({
    fields: { newPassword: checks.newPassword },
    send: async ({ newPassword }) => {
      await call('POST /api/auth/reset-password', { body: { token, newPassword } });
      clearUser();
      notify({ kind: 'success', id: 'resetDone', text: say(isJustVerified ? 'reset.chosen' : 'reset.done') });
      navigate(withReturnPath(paths.login, returnTo), { replace: true });
    },
    onError: (_, problem) => {
      if (problem instanceof ApiProblem && problem.code === 'invalid_link') onExpired();
    },
  });
  return (
    <>
      <h1>{say(isJustVerified ? 'reset.choose' : 'reset.heading')}</h1>
      <p className={styles.lead}>{say(isJustVerified ? 'reset.verified' : 'reset.lead')}</p>
      <FormError error={formError} />
      <form {...form} className={styles.form}>
        <PasswordField
          {...field('newPassword')}
          label={say('identity.newPassword')}
          hint={say('identity.passwordHint')}
          autoComplete="new-password"
        />
        <Button {...submit} look="primary">
          {say('reset.submit')}
        </Button>
      </form>
    </>
  );
}

function RequestNewLink({ focusHeading }: { focusHeading: boolean }) {
  const words = useWords();
  const { say } = words;
  const { demo } = useBoot();
  const heading = useRef<HTMLHeadingElement>(null);
  const { form, field, submit, formError } = useAuthForm({
    fields: { email: checks.email },
    send: ({ email }) => requestReset(email, demo, words),
  });
  useEffect(() => {
    if (focusHeading) heading.current?.focus();
  }, [focusHeading]);
  return (
    <>
      <h1 ref={heading} tabIndex={-1} className={styles.heading}>
        {say('reset.expired.heading')}
      </h1>
      <p className={styles.lead}>{say('reset.expired.lead')}</p>
      <FormError error={formError} />
      <form {...form} className={styles.form}>
        <EmailField {...field('email')} label={say('identity.email')} />
        <Button {...submit} look="primary">
          {say('reset.expired.submit')}
        </Button>
      </form>
    </>
  );
}
