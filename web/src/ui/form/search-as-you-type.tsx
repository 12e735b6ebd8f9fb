import { type ComponentProps, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useLocation, useNavigationType } from '../router.tsx';
import { SearchField } from './search-field.tsx';

const DEBOUNCE_MS = 120;

type SearchProps = ComponentProps<typeof SearchField> & {
  /** The search text in the URL. */
  q: string;
  onSearch: (q: string) => void;
  /** Called on arrow down, to move the focus from the field into the results. */
  onDown: () => void;
};

/** Searches while the user types: at once after a pause, debounced during quick typing. */
export function SearchAsYouType({ q, onSearch, onDown, ...rest }: SearchProps) {
  const { key } = useLocation();
  const how = useNavigationType();
  const [text, setText] = useState(q);
  const [step, setStep] = useState(key);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // Typing navigates with REPLACE; the field may then hold newer text than the URL, so it keeps its text. Any other
  // navigation sets the text from the URL.
  const isOwn = how === 'REPLACE';
  if (key !== step) {
    setStep(key);
    if (!isOwn && q !== text.trim()) setText(q);
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: the pending search belonged to the previous history entry.
  useEffect(() => {
    if (!isOwn) clearTimeout(timer.current);
  }, [key]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const typedAt = useRef(Number.NEGATIVE_INFINITY);
  function type(next: string): void {
    const now = performance.now();
    const afterPause = now - typedAt.current > DEBOUNCE_MS;
    typedAt.current = now;
    setText(next);
    clearTimeout(timer.current);
    if (afterPause) onSearch(next.trim());
    else timer.current = setTimeout(() => onSearch(next.trim()), DEBOUNCE_MS);
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
