import { postSignOut } from '../../api/session.ts';
import { paths } from '../../paths.ts';
import { notify } from '../../ui/toast.ts';
import { useWords } from '../../words/words.tsx';

/** Returns a function that logs out and reloads at the home page, so that no data of the user stays in memory. */
export function useLogOut(): () => Promise<void> {
  const { say } = useWords();
  return async () => {
    try {
      await postSignOut();
    } catch {
      return notify({ kind: 'error', text: say('account.logoutFailed') });
    }
    location.assign(paths.home);
  };
}
