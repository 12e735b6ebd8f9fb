/**
 * Copies the text of an input. The clipboard API exists only over https, so this uses the older command, which works
 * everywhere. Returns whether it worked; if not, the text is selected, ready for Ctrl+C.
 */
export function copyText(input: HTMLInputElement): boolean {
  input.focus();
  input.select();
  return document.execCommand('copy');
}
