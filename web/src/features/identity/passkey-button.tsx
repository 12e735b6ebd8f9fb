import { KeyRound } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useWords } from '../../words/words.tsx';
import { canUsePasskeys, choosePasskey, passkeyErrorText } from './passkeys.ts';

type Props = {
  label: string;
  onPasskey: (passkey: Awaited<ReturnType<typeof choosePasskey>>) => Promise<void>;
  onError: (text: string) => void;
};

/** Lets the user choose a passkey. Not shown where the browser has no passkeys. */
export function PasskeyButton({ label, onPasskey, onError }: Props) {
  const words = useWords();
  const [isOffered, setOffered] = useState(false);
  const [busy, setBusy] = useState(false);
  // Decided after the first render, which must be the same as on the server.
  useEffect(() => setOffered(canUsePasskeys()), []);

  async function choose() {
    if (busy) return;
    setBusy(true);
    try {
      await onPasskey(await choosePasskey());
    } catch (problem) {
      onError(passkeyErrorText(problem, words));
    }
    setBusy(false);
  }

  if (!isOffered) return null;
  return (
    <Button busy={busy} onClick={() => void choose()}>
      {!busy && <Icon of={KeyRound} />}
      {label}
    </Button>
  );
}
