import { useState } from 'react';

/**
 * The text of a field that edits `chosen`. When `chosen` changes elsewhere, the text follows in the same render: a
 * field that lagged behind would submit its old text.
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
