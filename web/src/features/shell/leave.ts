import { notify } from '../../ui/toast.ts';
import { useWords } from '../../words/words.tsx';
import { signOut } from '../identity/sign-out.ts';

/** Logs out, and says so where the server did not agree. */
export function useLeave(): () => Promise<void> {
  const { say } = useWords();
  return async () => {
    if (!(await signOut())) notify({ kind: 'error', text: say('account.logoutFailed') });
  };
}
