import { useCallback, useState } from 'react';

/**
 * For what is shown while mounted: on closing, the focus goes back to whatever had it before, unless it has been given
 * to something else meanwhile, such as the page that a link inside led to.
 */
export function useReturnFocus(): (event: Event) => void {
  const [before] = useState(() => document.activeElement);
  return useCallback(
    (event) => {
      event.preventDefault();
      const free = document.activeElement === null || document.activeElement === document.body;
      if (free && before instanceof HTMLElement) before.focus();
    },
    [before],
  );
}
