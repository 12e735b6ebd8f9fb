import { type RefObject, useLayoutEffect, useRef } from 'react';

const TURN_MS = 200;
const SHIFT_PX = 20;

/**
 * Slides the rows in when another instant is shown: a later one from the end side, an earlier one from the start side.
 */
export function useSlideIn(rows: RefObject<HTMLElement | null>, at: string | undefined): void {
  const before = useRef(at);
  useLayoutEffect(() => {
    if (before.current === at) return;
    const back = at !== undefined && (before.current === undefined || at < before.current);
    before.current = at;
    if (!rows.current || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    const forward = Number(getComputedStyle(rows.current).getPropertyValue('--forward'));
    const from = SHIFT_PX * forward * (back ? -1 : 1);
    rows.current.animate(
      [
        { opacity: 0.3, translate: `${from}px 0` },
        { opacity: 1, translate: '0 0' },
      ],
      {
        duration: TURN_MS,
        easing: 'cubic-bezier(0.2, 0.7, 0.3, 1)',
      },
    );
  }, [rows, at]);
}
