import type { ReactNode } from 'react';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { useLocation } from '../ui/router.tsx';
import { useWords } from '../words/words.tsx';

type PageErrorBoundaryProps = {
  children: ReactNode;
  /** A new key resets the boundary, as every navigation does. */
  resetKey?: string;
  onReset?: () => void;
};

/** Shows an error page when a page throws. After navigation, or when `resetKey` changes, the page is tried again. */
export function PageErrorBoundary({ children, resetKey = '', ...rest }: PageErrorBoundaryProps) {
  const { key } = useLocation();
  return (
    <ErrorBoundary fallback={<ErrorPage />} resetKey={`${key} ${resetKey}`} {...rest}>
      {children}
    </ErrorBoundary>
  );
}

function ErrorPage() {
  const { say } = useWords();
  return (
    <EmptyState text={say('errorPage.heading')} alert>
      <p>{say('errorPage.text')}</p>
      <Button look="primary" onClick={() => location.reload()}>
        {say('errorPage.reload')}
      </Button>
    </EmptyState>
  );
}
