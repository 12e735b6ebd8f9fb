import { type RefObject, useLayoutEffect, useState } from 'react';

/**
 * Whether an element is narrower than `wideRem`; null before it is measured. A media query cannot tell, because the
 * sidebar takes a part of the window.
 */
export function useNarrow(ref: RefObject<HTMLElement | null>, wideRem: number): boolean | null {
  const [narrow, setNarrow] = useState<boolean | null>(null);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const measure = () => {
      const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
      setNarrow(element.clientWidth < wideRem * rem);
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, [ref, wideRem]);
  return narrow;
}
