import { useEffect } from 'react';
import { useBoot } from '../../api/boot.ts';
import { useSession } from '../../live/session-provider.tsx';
import { paths, serverPaths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { Drawing } from '../../ui/drawing.tsx';
import { Link } from '../../ui/link.tsx';
import { useLocation } from '../../ui/router.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { notify } from '../../ui/toast.ts';
import { useWords } from '../../words/words.tsx';
import { ResendVerification } from './resend-verification.tsx';
import styles from './verify-gate.module.css';

const POLL_MS = 4_000;

/** Shown instead of every protected page until the user's email address is verified. */
export function VerifyGate() {
  const { say } = useWords();
  const { user, demo } = useBoot();
  const { logOut } = useSession();
  const { pathname, search, hash } = useLocation();
  usePollVerification();

  if (user === null) return null;
  return (
    <div className={styles.page}>
      <header className={styles.header}>
        <Link to={paths.home} className={styles.brand}>
          {say('brand')}
        </Link>
        <Button size="s" onClick={logOut}>
          {say('account.logout')}
        </Button>
      </header>
      <main id="content" tabIndex={-1} className={styles.gate}>
        <SealedLetter />
        <h1>{say('gate.heading')}</h1>
        <p className={styles.lead}>{say('gate.lead')}</p>
        <p className={styles.text}>{say('gate.text', { email: user.email })}</p>
        <ResendVerification returnTo={pathname + search + hash} />
        {demo && (
          <a href={serverPaths.outbox} target="_blank" rel="noreferrer" className={styles.outbox}>
            {say('identity.outbox')}
          </a>
        )}
        <p className={styles.waiting}>
          <Spinner />
          {say('gate.waiting')}
        </p>
      </main>
    </div>
  );
}

/** Polls the session: it is verified when the link is used in another tab, and ends when it is used elsewhere. */
function usePollVerification(): void {
  const { say } = useWords();
  const { refreshSession } = useSession();
  useEffect(() => {
    const poll = async () => {
      if (document.visibilityState !== 'visible') return;
      if ((await refreshSession()) === null) notify({ kind: 'info', id: 'gateEnded', text: say('gate.ended') });
    };
    const timer = setInterval(poll, POLL_MS);
    document.addEventListener('visibilitychange', poll);
    addEventListener('focus', poll);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', poll);
      removeEventListener('focus', poll);
    };
  }, [refreshSession, say]);
}

function SealedLetter() {
  return (
    <Drawing
      viewBox="0 0 240 150"
      className={styles.drawing}
      shelf="M8 132h224"
      rule="M40 133v7M80 133v7M120 133v7M160 133v7M200 133v7"
    >
      <path className={styles.paper} d="M58 40q0-6 6-6h112q6 0 6 6v85q0 6-6 6H64q-6 0-6-6z" />
      <path className={styles.fold} d="m60 37 60 50 60-50M60 129l42-56M180 129l-42-56" />
      <circle className={styles.seal} cx="120" cy="86" r="15" />
      <path className={styles.bottle} d="M114 95v-9q0-3 3-3v-4h6v4q3 0 3 3v9zM117 77h6" />
    </Drawing>
  );
}
