import { useCallback, useState } from 'react';

/**
 * Returns the focus to the element that had it before the dialog was mounted, unless something else has the focus by
 * then, such as a page opened by a link in the dialog.
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
