import { type ReactNode, useEffect } from 'react';
import { useNavigate } from 'react-router';
import { isDashboardPath } from '../../paths.ts';
import { LoadingView } from '../../ui/loading-view.tsx';
import { useWords } from '../../words/words.tsx';
import styles from './form-parts.module.css';
import type { Refusal } from './use-auth-form.ts';

/** Why it did not work, in red and announced. */
export function RefusalText({ refusal }: { refusal: Refusal | null }) {
  if (refusal === null) return null;
  return (
    <p key={refusal.count} role="alert" className={styles.refusal}>
      {refusal.text}
    </p>
  );
}

/** What happened before the form, announced. */
export function Notice({ children }: { children: ReactNode }) {
  return (
    <p role="alert" className={styles.notice}>
      {children}
    </p>
  );
}

/** Leads on at once. Unlike the router's own, it may be drawn by the server. */
export function SendOn({ to }: { to: string }) {
  const { say } = useWords();
  const navigate = useNavigate();
  useEffect(() => {
    navigate(to, { replace: true });
  }, [to, navigate]);
  // The address changes a moment before the page does. Header and footer are gone by then.
  return (
    <div data-to-dashboard={isDashboardPath(to) || undefined}>
      <LoadingView text={say('Loading...')} stay={say('loading.stay')} />
    </div>
  );
}
