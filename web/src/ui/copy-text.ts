/**
 * Copies a text, or the text of an input. The clipboard API exists only over https, so this uses the older command, which
 * works everywhere. Returns whether it worked; if not, the text of an input is selected, ready for Ctrl+C.
 */
export function copyText(from: HTMLInputElement | string): boolean {
  if (typeof from !== 'string') {
    from.focus();
    from.select();
    return document.execCommand('copy');
  }
  const previous = document.activeElement;
  const input = document.createElement('input');
  input.value = from;
  // A dialog keeps the focus inside, so the input is put where the focus is.
  (previous?.parentElement ?? document.body).append(input);
  try {
    return copyText(input);
  } finally {
    input.remove();
    if (previous instanceof HTMLElement) previous.focus({ preventScroll: true });
  }
}
