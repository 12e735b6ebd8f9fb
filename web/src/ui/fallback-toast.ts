const SHOWN_MS = 5_000;

/** Shows a simple toast without the toast library, for when the library cannot be loaded. */
export function showFallbackToast(text: string): void {
  document.querySelector('.plain-notice')?.remove();
  const notice = document.createElement('div');
  notice.className = 'plain-notice';
  notice.setAttribute('role', 'alert');
  document.body.append(notice);
  // The text is set last, because screen readers announce changes inside an alert that is already on the page.
  notice.textContent = text;
  setTimeout(() => notice.remove(), SHOWN_MS);
}
