const SHOWN_MS = 5_000;

/** A toast without the toast library, for when the library cannot be loaded. */
export function showFallbackToast(text: string): void {
  document.querySelector('.plain-notice')?.remove();
  const notice = document.createElement('div');
  notice.className = 'plain-notice';
  notice.setAttribute('role', 'alert');
  document.body.append(notice);
  // Screen readers announce what changes inside an alert that is already there.
  notice.textContent = text;
  setTimeout(() => notice.remove(), SHOWN_MS);
}
