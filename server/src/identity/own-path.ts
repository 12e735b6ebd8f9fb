import { safeReturnPath } from '@perfume/domain/return-path';

/** Returns the path of a URL on our own origin, or `fallback` for any other site and for '/'. */
export function ownPath(given: string | null | undefined, origin: string, fallback = '/'): string {
  const path = safeReturnPath(given?.startsWith(`${origin}/`) ? given.slice(origin.length) : given);
  return path === '/' ? fallback : path;
}

/** Sets a query parameter; null removes it. */
export function withParameter(path: string, name: string, value: string | null): string {
  const url = new URL(path, 'http://own.invalid');
  if (value !== null) url.searchParams.set(name, value);
  else if (url.searchParams.has(name)) url.searchParams.delete(name);
  return `${url.pathname}${url.search}${url.hash}`;
}
