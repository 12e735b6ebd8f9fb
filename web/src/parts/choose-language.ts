import type { Language } from '../words/languages.ts';
import { useWords } from '../words/words.tsx';
import { usePartFailed } from './part-failed.ts';

/** Changes the language once its words have arrived; says so if they do not. */
export function useChooseLanguage(): (language: Language) => void {
  const { speak } = useWords();
  const partFailed = usePartFailed();
  return (language) => void speak(language).catch(partFailed);
}
