import type { KeyboardEvent } from 'react';

/** Ignores repeated key events: holding a key down would otherwise deliver the whole stock. */
export function pressOnce(event: KeyboardEvent): void {
  if (event.repeat) event.preventDefault();
}
