import { safeReturnPath } from '@perfume/domain/return-path';

/** The path of an address, with or without our origin before it; `otherwise` for any other site, and for '/'. */
export function ownPath(given: string | null | undefined, address: string, otherwise = '/'): string {
  const path = safeReturnPath(given?.startsWith(`${address}/`) ? given.slice(address.length) : given);
  return path === '/' ? otherwise : path;
}

/** The same path with that parameter, or with null without it. */
export function withParameter(path: string, name: string, value: string | null): string {
  const url = new URL(path, 'http://own.invalid');
  if (value !== null) url.searchParams.set(name, value);
  else if (url.searchParams.has(name)) url.searchParams.delete(name);
  return `${url.pathname}${url.search}${url.hash}`;
}
