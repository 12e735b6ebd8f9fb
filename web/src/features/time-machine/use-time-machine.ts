import { useEffect, useId, useRef, useState } from 'react';
import type { SetInstant } from './use-time-travel.ts';

/** Whether the time machine stands above the list: somebody has opened it, or came by an address that names an instant. */
export function useTimeMachine(at: string | undefined, setInstant: SetInstant) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const [state, setState] = useState<'closed' | 'open' | 'opened by hand'>('closed');
  const open = state !== 'closed' || at !== undefined;

  // Whoever leafs on to now keeps it in hand.
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
    button: { ref: button, open, controls: id, onToggle: () => (open ? close() : setState('opened by hand')) },
    parts: { id, focus: state === 'opened by hand', onClose: close },
  };
}
