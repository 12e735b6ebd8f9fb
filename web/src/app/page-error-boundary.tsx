import type { ReactNode } from 'react';
import { useLocation } from 'react-router';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { useWords } from '../words/words.tsx';

type CrashProps = {
  children: ReactNode;
  /** Besides every navigation. */
  tryAgainOn?: string;
  onTryAgain?: () => void;
};

/** What people see when a page breaks, until it can be tried again. */
export function PageErrorBoundary({ children, tryAgainOn = '', ...rest }: CrashProps) {
  const { key } = useLocation();
  return (
    <ErrorBoundary instead={<BrokenPage />} tryAgainOn={`${key} ${tryAgainOn}`} {...rest}>
      {children}
    </ErrorBoundary>
  );
}

function BrokenPage() {
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
