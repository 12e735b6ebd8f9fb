import { type ComponentProps, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useLocation, useNavigationType } from 'react-router';
import { SearchField } from './search-field.tsx';

const PAUSE_MS = 120;

type SearchProps = ComponentProps<typeof SearchField> & {
  /** What the address asks for. */
  q: string;
  onSearch: (q: string) => void;
  /** The arrow that leads from the field into what was found. */
  onDown: () => void;
};

/** Searches as one types: at once after a pause, and once for letters that follow each other quickly. */
export function SearchAsYouType({ q, onSearch, onDown, ...rest }: SearchProps) {
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
      event.preventDefault();
      clearTimeout(timer.current);
      onSearch(text.trim());
    }
  }

  return <SearchField {...rest} value={text} onChange={({ target }) => type(target.value)} onKeyDown={onKeyDown} />;
}
