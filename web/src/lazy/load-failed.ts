import { useCallback } from 'react';
import { notify } from '../ui/toast.ts';
import { useWords } from '../words/words.tsx';

/** Shows a toast that something could not be loaded. */
export function useNotifyLoadFailed(): () => void {
  const { say } = useWords();
  return useCallback(() => notify({ kind: 'error', id: 'partFailed', text: say('part.failed') }), [say]);
}
