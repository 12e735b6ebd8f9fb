import { useEffect } from 'react';
import { useNavigate, useSearchParams } from '../../ui/router.tsx';
import { useWords } from '../../words/words.tsx';
import { socialErrorText } from './auth-error-text.ts';
import { type AuthPath, rememberedReturnPath, withReturnPath } from './return-path.ts';

/** Shows the error of a failed social sign-in, removes it from the URL and restores the return path. */
export function useSocialError(page: AuthPath, isSignedOut: boolean, showError: (text: string) => void): void {
  const words = useWords();
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const error = isSignedOut ? params.get('error') : null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect runs once per error, whatever else changes.
  useEffect(() => {
    if (error === null) return;
    navigate(withReturnPath(page, rememberedReturnPath()), { replace: true });
    showError(socialErrorText(error, words));
  }, [error]);
}
