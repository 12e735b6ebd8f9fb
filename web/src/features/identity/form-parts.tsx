import { type ReactNode, useEffect } from 'react';
import { useNavigate } from 'react-router';
import { isDashboardPath } from '../../paths.ts';
import { LoadingView } from '../../ui/loading-view.tsx';
import { useWords } from '../../words/words.tsx';
import styles from './form-parts.module.css';
import type { FormMessage } from './use-auth-form.ts';

export function FormError({ error }: { error: FormMessage | null }) {
  if (error === null) return null;
  return (
    <p key={error.count} role="alert" className={styles.formError}>
      {error.text}
    </p>
  );
}

/** A message above the form, announced by screen readers. */
export function Notice({ children }: { children: ReactNode }) {
  return (
    <p role="alert" className={styles.notice}>
      {children}
    </p>
  );
}

/** Navigates at once. Unlike the router's own `Navigate` component, it can be rendered on the server. */
export function Redirect({ to }: { to: string }) {
  const { say } = useWords();
  const navigate = useNavigate();
  useEffect(() => {
    navigate(to, { replace: true });
  }, [to, navigate]);
  // On the way to the dashboard, the attribute hides the site's header and footer, which the dashboard does not have.
  return (
    <div data-to-dashboard={isDashboardPath(to) || undefined}>
      <LoadingView text={say('Loading...')} stay={say('loading.stay')} />
    </div>
  );
}
