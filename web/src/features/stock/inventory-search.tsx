import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useLocation, useNavigationType } from 'react-router';
import { SearchField } from '../../ui/search-field.tsx';
import { useWords } from '../../words/words.tsx';

const PAUSE_MS = 120;

type SearchProps = { q: string; onSearch: (q: string) => void; onDown: () => void };

/** Searches as one types: at once after a pause, and once for letters that follow each other quickly. */
export function InventorySearch({ q, onSearch, onDown }: SearchProps) {
  const { say } = useWords();
  const { key } = useLocation();
  const how = useNavigationType();
  const [text, setText] = useState(q);
  const [step, setStep] = useState(key);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // Typing replaces its own step of the history, and may be ahead of the address by then. Any other step brings its
  // own search along.
  const isOwn = how === 'REPLACE';
  if (key !== step) {
    setStep(key);
    if (!isOwn && q !== text.trim()) setText(q);
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was about to be searched for belonged to the step before.
  useEffect(() => {
    if (!isOwn) clearTimeout(timer.current);
  }, [key]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const typedAt = useRef(Number.NEGATIVE_INFINITY);
  function type(next: string): void {
    const now = performance.now();
    const afterPause = now - typedAt.current > PAUSE_MS;
    typedAt.current = now;
    setText(next);
    clearTimeout(timer.current);
    if (afterPause) onSearch(next.trim());
    else timer.current = setTimeout(() => onSearch(next.trim()), PAUSE_MS);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'ArrowDown') {
      event.preventDefault();
      onDown();
    }
    if (event.key === 'Enter') {
      clearTimeout(timer.current);
      onSearch(text.trim());
    }
  }

  return (
    <SearchField
      label={say('inventory.search')}
      placeholder={say('inventory.search')}
      value={text}
      onChange={({ target }) => type(target.value)}
      onKeyDown={onKeyDown}
      data-shortcut-search=""
    />
  );
}
