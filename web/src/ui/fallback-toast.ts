const LIFE_MS = 5_000;

/** A notice that needs no library, for when the connection is too bad to fetch one. */
export function showFallbackToast(text: string): void {
  document.querySelector('.plain-notice')?.remove();
  const notice = document.createElement('div');
  notice.className = 'plain-notice';
  notice.setAttribute('role', 'alert');
  document.body.append(notice);
  // Screen readers announce what changes inside an alert that is already there.
  notice.textContent = text;
  setTimeout(() => notice.remove(), LIFE_MS);
}
