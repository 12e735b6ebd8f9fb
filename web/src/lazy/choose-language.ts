import type { Language } from '../words/languages.ts';
import { useWords } from '../words/words.tsx';
import { useNotifyLoadFailed } from './load-failed.ts';

/** Changes the language once its words are loaded, or shows a toast when they cannot be loaded. */
export function useChooseLanguage(): (language: Language) => void {
  const { speak } = useWords();
  const notifyLoadFailed = useNotifyLoadFailed();
  return (language) => void speak(language).catch(notifyLoadFailed);
}
