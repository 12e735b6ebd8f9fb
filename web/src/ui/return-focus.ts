import { useCallback, useState } from 'react';

/** For what is shown while mounted: on closing, the focus goes back to whatever had it before. */
export function useReturnFocus(): (event: Event) => void {
  const [before] = useState(() => document.activeElement);
  return useCallback(
    (event) => {
      event.preventDefault();
      if (before instanceof HTMLElement) before.focus();
    },
    [before],
  );
}
