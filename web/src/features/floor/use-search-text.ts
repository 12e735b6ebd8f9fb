import { useEffect, useState } from 'react';

const DEBOUNCE_MS = 120;

/** The text of a search field, and `q`, the search it stands for once the person pauses typing. */
export function useSearchText() {
  const [text, setText] = useState('');
  const [q, setQ] = useState('');
  const typed = text.trim();
  useEffect(() => {
    // An emptied field shows the usual rows at once.
    if (typed === '') return setQ('');
    const timer = setTimeout(() => setQ(typed), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return { text, q: typed === '' ? '' : q, isSettled: q === typed, type: setText, clear: () => setText('') };
}
