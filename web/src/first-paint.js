// Runs before anything is painted, so neither the theme nor the reading direction flashes. Plain script, no imports.
(() => {
  const root = document.documentElement;
  const prefix = location.protocol === 'https:' ? '__Host-' : '';
  const kept = (name) => new RegExp(`(?:^|; )${prefix}${name}=([^;]*)`).exec(document.cookie)?.[1];
  const theme = kept('theme');
  if (theme === 'light' || theme === 'dark') {
    root.dataset.theme = theme;
    for (const meta of document.querySelectorAll('meta[data-for]'))
      meta.media = meta.dataset.for === theme ? 'all' : 'not all';
  }
  const language = kept('language');
  if (language === 'fr' || language === 'ar') root.lang = language;
  if (language === 'ar') root.dir = 'rtl';
})();
