import type { ReplyOf } from '@perfume/contract/endpoint';
import type { readInvitation } from '@perfume/contract/houses';
import { emailKey } from '@perfume/domain/email';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { useBoot } from '../../api/boot.ts';
import { ApiProblem, call } from '../../api/client.ts';
import { openOtherHouse } from '../../api/session.ts';
import { paths } from '../../paths.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { TextField } from '../../ui/form/field.tsx';
import { useWords } from '../../words/words.tsx';
import { authErrorText } from '../identity/auth-error-text.ts';
import { checks } from '../identity/checks.ts';
import { FormError } from '../identity/form-parts.tsx';
import { useLinkParameters } from '../identity/link-parameters.ts';
import { Panels } from '../identity/panels.tsx';
import { PasswordField } from '../identity/password-field.tsx';
import { withReturnPath } from '../identity/return-path.ts';
import { useAuthForm } from '../identity/use-auth-form.ts';
import styles from './invitation-page.module.css';
import { forgetToken, keepToken, keptToken } from './kept-token.ts';

type Invitation = ReplyOf<typeof readInvitation>;

/** The page behind the link in an invitation. Only its buttons accept, because mail scanners open links. */
export function InvitationPage() {
  const { say } = useWords();
  const params = useLinkParameters();
  const token = params === null ? null : (params.get('token') ?? keptToken());
  const isMissing = params !== null && token === null;
  return (
    <Panels
      pitch={{
        eyebrow: say('invitation.pitch.eyebrow'),
        heading: say('invitation.pitch.heading'),
        text: say('invitation.pitch.text'),
      }}
    >
      {isMissing && <Unusable heading={say('invitation.missing.heading')} text={say('invitation.missing.text')} />}
      {token === null && !isMissing && <Loading />}
      {token !== null && <Opened key={token} token={token} />}
    </Panels>
  );
}

function Opened({ token }: { token: string }) {
  const words = useWords();
  const { say } = words;
  const [invitation, setInvitation] = useState<Invitation | null>(null);
  const [failed, setFailed] = useState<unknown>(null);

  const read = useCallback(async () => {
    setFailed(null);
    try {
      const { data } = await call('POST /invitations/read', { body: { token } });
      keepToken(token);
      setInvitation(data);
    } catch (problem) {
      if (isExpired(problem)) forgetToken();
      setFailed(problem);
    }
  }, [token]);
  useEffect(() => void read(), [read]);

  if (isExpired(failed)) {
    return <Unusable heading={say('invitation.expired.heading')} text={say('invitation.expired.text')} />;
  }
  if (failed !== null) {
    return (
      <>
        <h1>{say('invitation.missing.heading')}</h1>
        <p role="alert">{authErrorText(failed, words)}</p>
        <Button onClick={() => void read()}>{say('retry')}</Button>
      </>
    );
  }
  if (invitation === null) return <Loading />;
  return <Offer token={token} invitation={invitation} onExpired={setFailed} />;
}

function isExpired(problem: unknown): boolean {
  // The server calls a token that is too long to be one of its own invalid input.
  return problem instanceof ApiProblem && (problem.code === 'invalid_link' || problem.code === 'invalid_input');
}

type OfferProps = { token: string; invitation: Invitation; onExpired: (problem: unknown) => void };

function Offer({ token, invitation: { house, role, email, invitedBy }, onExpired }: OfferProps) {
  const { say } = useWords();
  const { user, signUp } = useBoot();
  return (
    <>
      <h1 className={styles.heading}>{say('invitation.heading', { house })}</h1>
      <p className={styles.lead}>
        {invitedBy === null ? say('invitation.fromNobody') : say('invitation.from', { person: invitedBy })}
      </p>
      <dl className={styles.facts}>
        <Fact name={say('invitation.role')}>
          <strong>{say(`role.${role}`)}</strong>
          <span className={styles.lead}>{say(`role.${role}.may`)}</span>
        </Fact>
        <Fact name={say('invitation.email')}>
          <span>
            <bdi>{email}</bdi>
          </span>
        </Fact>
      </dl>
      {user && <Join token={token} email={email} onExpired={onExpired} />}
      {!user && signUp !== 'closed' && <SignUp token={token} email={email} onExpired={onExpired} />}
      {!user && <LogInFirst />}
      <p className={styles.lead}>{say('invitation.notYou')}</p>
    </>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={styles.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Join({ token, email, onExpired }: { token: string; email: string; onExpired: (problem: unknown) => void }) {
  const { say } = useWords();
  const { user } = useBoot();
  const { form, submit, formError, showError } = useAuthForm({
    fields: {},
    send: async (): Promise<void> => {
      try {
        await call('POST /invitations/accept', { body: { token } });
      } catch (problem) {
        const code = problem instanceof ApiProblem ? problem.code : null;
        if (isExpired(problem)) return onExpired(problem);
        if (code === 'email_not_verified') return showError(say('invitation.verifyFirst'));
        if (code === 'too_many_houses') return showError(say('invitation.tooManyHouses'));
        throw problem;
      }
      openOtherHouse(paths.adminHome);
    },
  });
  const account = user?.email ?? '';
  const isInvited = emailKey(account) === emailKey(email);
  return (
    <form {...form} className={styles.form}>
      <p>{say(isInvited ? 'invitation.account' : 'invitation.otherAccount', { email: account })}</p>
      <FormError error={formError} />
      <Button {...submit} look="primary">
        {say('invitation.join')}
      </Button>
    </form>
  );
}

/** The link verifies the invited address, so whoever signs up with it joins at once. */
function SignUp({ token, email, onExpired }: { token: string; email: string; onExpired: (problem: unknown) => void }) {
  const { say } = useWords();
  const { form, field, submit, formError, showError } = useAuthForm({
    fields: { name: checks.name, password: checks.newPassword },
    send: async ({ name, password }): Promise<void> => {
      const body = { name: name.trim(), email, password, invitation: token };
      try {
        await call('POST /api/auth/sign-up/email', { body });
        openOtherHouse(paths.adminHome);
      } catch (problem) {
        const code = problem instanceof ApiProblem ? problem.code : null;
        if (code === 'invalid_link') return onExpired(problem);
        if (code === 'already_verified') return showError(say('invitation.hasAccount'));
        throw problem;
      }
    },
  });
  return (
    <form {...form} className={styles.form}>
      <FormError error={formError} />
      <input hidden type="text" name="username" autoComplete="username" value={email} readOnly />
      <TextField {...field('name')} label={say('identity.name')} autoComplete="name" dir="auto" />
      <PasswordField
        {...field('password')}
        label={say('identity.password')}
        hint={say('identity.passwordHint')}
        autoComplete="new-password"
      />
      <Button {...submit} look="primary">
        {say('invitation.signUp')}
      </Button>
    </form>
  );
}

function LogInFirst() {
  const { say } = useWords();
  return (
    <>
      <p>{say('invitation.first')}</p>
      <LinkButton to={withReturnPath(paths.login, paths.invitation)}>{say('invitation.login')}</LinkButton>
    </>
  );
}

function Unusable({ heading, text }: { heading: string; text: string }) {
  const { say } = useWords();
  const { user } = useBoot();
  return (
    <>
      <h1>{heading}</h1>
      <p className={styles.lead} role="status">
        {text}
      </p>
      {user && (
        <LinkButton to={paths.adminHome} look="primary">
          {say('invitation.toDashboard')}
        </LinkButton>
      )}
    </>
  );
}

function Loading() {
  const { say } = useWords();
  return <p className={styles.lead}>{say('Loading...')}</p>;
}
