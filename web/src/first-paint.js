// Runs before the first paint, so that theme and text direction do not flash. Plain script, no imports.
(() => {
  const root = document.documentElement;
  const prefix = location.protocol === 'https:' ? '__Host-' : '';
  const cookie = (name) => new RegExp(`(?:^|; )${prefix}${name}=([^;]*)`).exec(document.cookie)?.[1];
  const theme = cookie('theme');
  if (theme === 'light' || theme === 'dark') {
    root.dataset.theme = theme;
    for (const meta of document.querySelectorAll('meta[data-for]'))
      meta.media = meta.dataset.for === theme ? 'all' : 'not all';
  }
  const language = cookie('language');
  if (language === 'fr' || language === 'ar') root.lang = language;
  if (language === 'ar') root.dir = 'rtl';
  // A part whose preload failed can be retried (lazy/import-part.ts).
  const noteFailed = ({ target }) => target.rel === 'modulepreload' && target.setAttribute('data-failed', '');
  addEventListener('error', noteFailed, true);
  // The server has rendered this page, so its scripts can wait. They would take bandwidth from what is shown first.
  addEventListener('DOMContentLoaded', () => {
    const scripts = document.getElementById('after-paint');
    if (!scripts) return;
    const load = () => document.head.append(scripts.content);
    // A frame is painted between these two callbacks. A hidden tab paints none.
    if (document.hidden) load();
    else requestAnimationFrame(() => setTimeout(load));
  });
})();
