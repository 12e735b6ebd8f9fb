import type { ReactNode } from 'react';
import { useLocation } from 'react-router';
import { Button } from '../ui/button.tsx';
import { EmptyShelf } from '../ui/empty-shelf.tsx';
import { Quiet } from '../ui/quiet.tsx';
import { useWords } from '../words/words.tsx';

type CrashProps = {
  children: ReactNode;
  /** Besides every navigation. */
  tryAgainOn?: string;
  onTryAgain?: () => void;
};

/** What people see when a page breaks, until it can be tried again. */
export function Crash({ children, tryAgainOn = '', ...rest }: CrashProps) {
  const { key } = useLocation();
  return (
    <Quiet instead={<BrokenPage />} tryAgainOn={`${key} ${tryAgainOn}`} {...rest}>
      {children}
    </Quiet>
  );
}

function BrokenPage() {
  const { say } = useWords();
  return (
    <EmptyShelf text={say('crash.heading')} alert>
      <p>{say('crash.text')}</p>
      <Button look="primary" onClick={() => location.reload()}>
        {say('crash.reload')}
      </Button>
    </EmptyShelf>
  );
}
