import { type RefObject, useEffect, useState } from 'react';

/** Whether an element was scrolled into view at some time. */
export function useIsSeen(element: RefObject<Element | null>): boolean {
  const [isSeen, setIsSeen] = useState(false);
  useEffect(() => {
    if (!element.current || isSeen) return;
    const watcher = new IntersectionObserver((entries) => entries.some((one) => one.isIntersecting) && setIsSeen(true));
    watcher.observe(element.current);
    return () => watcher.disconnect();
  }, [element, isSeen]);
  return isSeen;
}
