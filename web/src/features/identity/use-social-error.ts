import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { useSearchParams } from '../../ui/router.tsx';
import { useWords } from '../../words/words.tsx';
import { socialErrorText } from './refusal-text.ts';
import { type Door, doorTo, rememberedReturnPath } from './return-path.ts';

/** Another provider sent somebody back with an error: it is said, taken off the address, and the way back put on again. */
export function useSocialError(door: Door, isSignedOut: boolean, refuse: (text: string) => void): void {
  const words = useWords();
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const error = isSignedOut ? params.get('error') : null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per error, whatever else changes.
  useEffect(() => {
    if (error === null) return;
    navigate(doorTo(door, rememberedReturnPath()), { replace: true });
    refuse(socialErrorText(error, words));
  }, [error]);
}
