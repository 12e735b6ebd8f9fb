import { useEffect, useRef, useState } from 'react';
import { useBoot } from '../../api/boot.ts';
import { ApiProblem, call } from '../../api/client.ts';
import { useSession } from '../../live/session-provider.tsx';
import { paths } from '../../paths.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { useNavigate } from '../../ui/router.tsx';
import { notify } from '../../ui/toast.ts';
import { useWords } from '../../words/words.tsx';
import { FormError } from './form-parts.tsx';
import { useLinkParameters } from './link-parameters.ts';
import { Panels } from './panels.tsx';
import { ResendVerification } from './resend-verification.tsx';
import styles from './reset-password-page.module.css';
import { returnPath, withReturnPath } from './return-path.ts';
import { useAuthForm } from './use-auth-form.ts';

/** The page behind the link in the verification email. Only its button verifies, because mail scanners open links. */
export function VerifyEmailPage() {
  const { say } = useWords();
  const params = useLinkParameters();
  const [expired, setExpired] = useState(false);
  const token = params === null ? '' : params.get('token');
  const returnTo = returnPath(params?.get('returnTo') ?? null);
  return (
    <Panels
      pitch={{
        eyebrow: say('verify.pitch.eyebrow'),
        heading: say('verify.pitch.heading'),
        text: say('verify.pitch.text'),
      }}
    >
      {token === null || expired ? (
        <ExpiredLink returnTo={returnTo} focusHeading={expired} />
      ) : (
        <Verify key={token} token={token} returnTo={returnTo} onExpired={() => setExpired(true)} />
      )}
    </Panels>
  );
}

/** Returns the address that a link is for, or null if the link is broken. The server checks it. */
function emailIn(token: string): string | null {
  try {
    const bytes = atob((token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/'));
    const { email } = JSON.parse(new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0))));
    return typeof email === 'string' ? email : null;
  } catch {
    return null;
  }
}

function Verify({ token, returnTo, onExpired }: { token: string; returnTo: string; onExpired: () => void }) {
  const { say } = useWords();
  const navigate = useNavigate();
  const { user } = useBoot();
  const email = emailIn(token);
  const { refreshSession, setUser } = useSession();
  const { form, submit, formError } = useAuthForm({
    fields: {},
    send: async () => {
      const { resetToken } = (await call('POST /api/auth/verify-email', { body: { token } })).data;
      if (resetToken !== null) {
        const params = new URLSearchParams({ token: resetToken, returnTo, verified: 'yes' });
        navigate(`${paths.resetPassword}#${params}`, { replace: true });
        return;
      }
      // Data of another user may be in memory, if somebody logged in in another tab.
      if (user?.emailVerified) return location.replace(returnTo);
      const verified = await refreshSession();
      // Also tells the other tabs, one of which may show the verification page.
      if (verified) setUser(verified);
      notify({ kind: 'success', id: 'verified', text: say('verify.done') });
      navigate(returnTo, { replace: true });
    },
    onError: (_, problem) => {
      if (problem instanceof ApiProblem && problem.code === 'invalid_link') onExpired();
    },
  });
  return (
    <>
      <h1>{say('verify.heading')}</h1>
      <p className={styles.lead}>{say('verify.lead')}</p>
      {email !== null && (
        <p>
          <bdi>{email}</bdi>
        </p>
      )}
      <FormError error={formError} />
      <form {...form} className={styles.form}>
        <Button {...submit} look="primary">
          {say('verify.submit')}
        </Button>
      </form>
      <p className={styles.lead}>{say('verify.notYou')}</p>
    </>
  );
}

function ExpiredLink({ returnTo, focusHeading }: { returnTo: string; focusHeading: boolean }) {
  const { say } = useWords();
  const { user } = useBoot();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (focusHeading) heading.current?.focus();
  }, [focusHeading]);
  return (
    <>
      <h1 ref={heading} tabIndex={-1} className={styles.heading}>
        {say('reset.expired.heading')}
      </h1>
      {user === null ? (
        <>
          <p className={styles.lead}>{say('verify.expired.loggedOut')}</p>
          <LinkButton to={withReturnPath(paths.login, returnTo)} look="primary">
            {say('register.login')}
          </LinkButton>
        </>
      ) : user.emailVerified ? (
        <>
          <p className={styles.lead}>{say('verify.expired.verified')}</p>
          <LinkButton to={returnTo} look="primary">
            {say('verify.continue')}
          </LinkButton>
        </>
      ) : (
        <>
          <p className={styles.lead}>{say('verify.expired.lead')}</p>
          <ResendVerification returnTo={returnTo} />
        </>
      )}
    </>
  );
}
