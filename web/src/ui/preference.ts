import { useSyncExternalStore } from 'react';

// Preferences are cookies, not local storage, so that the server can render the first page in the right language.
const YEAR = 31_536_000;

/** The name of the cookie. Over https, the `__Host-` prefix makes browsers refuse a cookie set by a sibling domain. */
function fullName(name: string): string {
  return location.protocol === 'https:' ? `__Host-${name}` : name;
}

export function savePreference(name: string, value: string): void {
  const secure = location.protocol === 'https:' ? '; secure' : '';
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in two of the browsers we support
  document.cookie = `${fullName(name)}=${value}; path=/; max-age=${YEAR}; samesite=lax${secure}`;
}

export function readPreference(name: string): string | undefined {
  return new RegExp(`(?:^|; )${fullName(name)}=([^;]*)`).exec(document.cookie)?.[1];
}

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

/** The chosen colour theme and a function to change it. `system` follows the device. */
export function useTheme(): [Theme, (theme: Theme) => void] {
  return [useSyncExternalStore(subscribeToTheme, readTheme, () => 'system'), setTheme];
}

function readTheme(): Theme {
  const theme = document.documentElement.dataset.theme;
  return theme === 'light' || theme === 'dark' ? theme : 'system';
}

function setTheme(theme: Theme): void {
  savePreference('theme', theme);
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  // Colours the browser's own bars too: the page has one theme-color meta tag for each theme, named in `data-for`.
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[data-for]')) {
    const own = meta.dataset.for;
    if (theme === 'system') meta.media = `(prefers-color-scheme: ${own})`;
    else meta.media = own === theme ? 'all' : 'not all';
  }
}

function subscribeToTheme(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange);
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  return () => observer.disconnect();
}
