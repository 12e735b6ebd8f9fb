import { useEffect, useId, useRef, useState } from 'react';
import type { SetInstant } from './use-time-travel.ts';

/** Opens and closes the time machine, which is open after a press of its button or when the URL has an instant. */
export function useTimeMachine(at: string | undefined, setInstant: SetInstant) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const [state, setState] = useState<'closed' | 'open' | 'opened with button'>('closed');
  const open = state !== 'closed' || at !== undefined;

  // The time machine stays open when the user moves on to now, although the URL then has no instant.
  useEffect(() => {
    if (at !== undefined) setState((now) => (now === 'closed' ? 'open' : now));
  }, [at]);

  function close(): void {
    setState('closed');
    if (at !== undefined) setInstant(null, false);
    button.current?.focus({ preventScroll: true });
  }

  return {
    open,
    button: { ref: button, open, controls: id, onToggle: () => (open ? close() : setState('opened with button')) },
    panel: { id, focus: state === 'opened with button', onClose: close },
  };
}
