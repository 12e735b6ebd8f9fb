import { safeReturnPath } from '@perfume/domain/return-path';
import { paths } from '../../paths.ts';
import { useSearchParams } from '../../ui/router.tsx';

const doors: string[] = [paths.login, paths.register, paths.resetPassword];

/** Where to go after signing in: the page one came from, or home. Never another site, and never back to the door. */
export function returnPath(from: string | null): string {
  const path = safeReturnPath(from);
  return doors.includes(path.split(/[?#]/, 1)[0]?.replace(/\/+$/, '') ?? '') ? paths.home : path;
}

export function useReturnPath(): string {
  const [params] = useSearchParams();
  return returnPath(params.get('from'));
}

export type Door = typeof paths.login | typeof paths.register;

/** The other door, with the way back. */
export function doorTo(door: Door, from: string): string {
  return from === paths.home ? door : `${door}?from=${encodeURIComponent(from)}`;
}

const KEY = 'returnPath';

/** A provider that refuses sends people to the door they came from without their way back; it waits here. */
export function rememberReturnPath(from: string): void {
  try {
    sessionStorage.setItem(KEY, from);
  } catch {
    // Then home it is.
  }
}

export function rememberedReturnPath(): string {
  try {
    return returnPath(sessionStorage.getItem(KEY));
  } catch {
    return paths.home;
  }
}
