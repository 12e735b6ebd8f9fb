import { useCallback } from 'react';
import { notify } from '../ui/toast.ts';
import { useWords } from '../words/words.tsx';

/** Says that what was just asked for could not be loaded. */
export function useNotifyLoadFailed(): () => void {
  const { say } = useWords();
  return useCallback(() => notify({ kind: 'error', id: 'partFailed', text: say('part.failed') }), [say]);
}
