import { safeReturnPath } from '@perfume/domain/return-path';
import { paths } from '../../paths.ts';
import { matchPath, useSearchParams } from '../../ui/router.tsx';

const authPaths: string[] = [paths.login, paths.register, paths.resetPassword, paths.verifyEmail];

/** Returns the path to open after login: where the user came from, or home. Never another site or an identity page. */
export function returnPath(from: string | null): string {
  const path = safeReturnPath(from);
  const [pathname = ''] = path.split(/[?#]/, 1);
  return authPaths.some((authPath) => matchPath(authPath, pathname)) ? paths.home : path;
}

export function useReturnPath(): string {
  const [params] = useSearchParams();
  return returnPath(params.get('from'));
}

export type AuthPath = typeof paths.login | typeof paths.register;

export function withReturnPath(path: AuthPath, from: string): string {
  return from === paths.home ? path : `${path}?from=${encodeURIComponent(from)}`;
}

const KEY = 'returnPath';

/** Stores the return path while the user is at a sign-in provider: after a failed sign-in, the URL lacks it. */
export function rememberReturnPath(from: string): void {
  try {
    sessionStorage.setItem(KEY, from);
  } catch {
    // Without storage, the user returns to the home page.
  }
}

export function rememberedReturnPath(): string {
  try {
    return returnPath(sessionStorage.getItem(KEY));
  } catch {
    return paths.home;
  }
}
