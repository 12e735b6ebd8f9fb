import { useState } from 'react';

/**
 * What stands in a field while the page asks for `chosen`. If that is chosen elsewhere, the field follows in the same
 * moment: a field that lagged behind would take its old content for somebody's wish.
 */
export function useSyncedText(chosen: string): [string, (typed: string) => void] {
  const [typed, setTyped] = useState(chosen);
  const [known, setKnown] = useState(chosen);
  if (known !== chosen) {
    setKnown(chosen);
    setTyped(chosen);
    return [chosen, setTyped];
  }
  return [typed, setTyped];
}
