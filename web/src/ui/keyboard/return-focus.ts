import { useCallback, useLayoutEffect, useState } from 'react';

/** The element to which a dialog that has just closed is about to return the focus. */
let returningTo: Element | null = null;

/**
 * Creates the `onCloseAutoFocus` handler of a dialog. It moves the focus back to the element that had it before the
 * dialog opened, unless something else has the focus by then, such as a page opened by a link in the dialog. A dialog
 * that opens right after another one closed returns the focus to the same element.
 */
export function useReturnFocus(): (event: Event) => void {
  const [before] = useState(() => (isFocusFree() ? returningTo : document.activeElement));
  useLayoutEffect(
    () => () => {
      returningTo = before;
    },
    [before],
  );
  return useCallback(
    (event) => {
      event.preventDefault();
      returningTo = null;
      if (isFocusFree() && before instanceof HTMLElement) before.focus();
    },
    [before],
  );
}

function isFocusFree(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}
