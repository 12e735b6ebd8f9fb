import type { ReactNode } from 'react';
import { isDashboardPath } from '../../paths.ts';
import { LoadingView } from '../../ui/loading-view.tsx';
import { Navigate } from '../../ui/router.tsx';
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

/** Opens another page at once, and says meanwhile that it is loading. */
export function Redirect({ to }: { to: string }) {
  const { say } = useWords();
  // On the way to the dashboard, the attribute hides the site's header and footer, which the dashboard does not have.
  return (
    <div data-to-dashboard={isDashboardPath(to) || undefined}>
      <Navigate to={to} />
      <LoadingView text={say('Loading...')} stay={say('loading.stay')} />
    </div>
  );
}
