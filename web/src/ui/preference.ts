import { useSyncExternalStore } from 'react';

// Preferences are cookies, not local storage: the server can then write the first HTML in the right language.
const YEAR = 31_536_000;

/** Under https the name itself makes browsers refuse a cookie that a neighbouring host planted. */
function fullName(name: string): string {
  return location.protocol === 'https:' ? `__Host-${name}` : name;
}

export function savePreference(name: string, value: string): void {
  const secure = location.protocol === 'https:' ? '; secure' : '';
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in two of the browsers we serve
  document.cookie = `${fullName(name)}=${value}; path=/; max-age=${YEAR}; samesite=lax${secure}`;
}

export function readPreference(name: string): string | undefined {
  return new RegExp(`(?:^|; )${fullName(name)}=([^;]*)`).exec(document.cookie)?.[1];
}

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

/** `system` follows the machine; the other two are remembered. */
export function useTheme(): [Theme, (theme: Theme) => void] {
  return [useSyncExternalStore(watchTheme, readTheme, () => 'system'), setTheme];
}

function readTheme(): Theme {
  const theme = document.documentElement.dataset.theme;
  return theme === 'light' || theme === 'dark' ? theme : 'system';
}

function setTheme(theme: Theme): void {
  savePreference('theme', theme);
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  // The browser's own bars follow: each colour says for which theme it is.
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[data-for]')) {
    const own = meta.dataset.for;
    if (theme === 'system') meta.media = `(prefers-color-scheme: ${own})`;
    else meta.media = own === theme ? 'all' : 'not all';
  }
}

function watchTheme(onChange: () => void): () => void {
  const watcher = new MutationObserver(onChange);
  watcher.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  return () => watcher.disconnect();
}
