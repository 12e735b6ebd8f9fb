import { useCallback, useState } from 'react';

/**
 * Creates the `onCloseAutoFocus` handler of a dialog. It moves the focus back to the element that had it before the
 * dialog opened, unless something else has the focus by then, such as a page opened by a link in the dialog.
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
