import {
  createContext,
  type ReactNode,
  startTransition,
  use,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useState,
} from 'react';

type Address = { pathname: string; search: string; hash: string };
/** `key` identifies the entry in the browser history, `state` is what was given to `navigate`. */
type Location = Address & { key: string; state: unknown };
type NavigationType = 'PUSH' | 'REPLACE' | 'POP';

/** Where to go. Without a path, as in '?q=oud' or { search }, it is another query or hash of the current page. */
export type To = string | Partial<Address>;
type NavigateOptions = { replace?: boolean; state?: unknown };

type RouterValue = {
  location: Location;
  /** How the location was reached. POP: when the page was opened, or by going back or forward. */
  type: NavigationType;
  go: (href: string, options?: NavigateOptions) => void;
};
const RouterContext = createContext<RouterValue | null>(null);

/** Provides the address of the page, and follows the browser history. */
export function BrowserRouter({ children }: { children: ReactNode }) {
  const [now, setNow] = useState(() => ({ location: currentLocation(), type: 'POP' as NavigationType }));
  // A transition keeps the current page on screen until the next one is loaded.
  const show = useCallback(
    (type: NavigationType) => startTransition(() => setNow({ location: currentLocation(), type })),
    [],
  );
  useLayoutEffect(() => {
    const onPop = () => show('POP');
    addEventListener('popstate', onPop);
    return () => removeEventListener('popstate', onPop);
  }, [show]);
  const go = useCallback(
    (href: string, { replace = false, state = null }: NavigateOptions = {}) => {
      addToHistory(href, { key: createKey(), state }, replace);
      show(replace ? 'REPLACE' : 'PUSH');
    },
    [show],
  );
  const router = useMemo(() => ({ ...now, go }), [now, go]);
  return <RouterContext value={router}>{children}</RouterContext>;
}

/** Provides an address that does not change, to render a page on the server. */
export function StaticRouter({ children, ...address }: Omit<Address, 'hash'> & { children: ReactNode }) {
  const router: RouterValue = {
    location: { ...address, hash: '', ...firstEntry },
    type: 'POP',
    go: () => {
      throw new Error('The server cannot navigate');
    },
  };
  return <RouterContext value={router}>{children}</RouterContext>;
}

function useRouter(): RouterValue {
  const router = use(RouterContext);
  if (router === null) throw new Error('A router hook outside the router');
  return router;
}

export function useLocation(): Location {
  return useRouter().location;
}

export function useNavigationType(): NavigationType {
  return useRouter().type;
}

export function useNavigate() {
  const { location, go } = useRouter();
  const { pathname } = location;
  return useCallback((to: To, options?: NavigateOptions) => go(hrefOf(to, pathname), options), [pathname, go]);
}

/** The query string of the address, and a function to change it. */
export function useSearchParams() {
  const { search } = useLocation();
  const navigate = useNavigate();
  const params = useMemo(() => new URLSearchParams(search), [search]);
  const setParams = useCallback(
    (next: (now: URLSearchParams) => URLSearchParams, options?: NavigateOptions) =>
      navigate(`?${next(new URLSearchParams(params))}`, options),
    [navigate, params],
  );
  return [params, setParams] as const;
}

/** The parameters of the address, if it fits the pattern: the slug for `/houses/:slug`. */
export function useParams(pattern: string): Record<string, string> {
  return matchPath(pattern, useLocation().pathname) ?? {};
}

/** Replaces the current page by another one. */
export function Navigate({ to }: { to: string }) {
  const navigate = useNavigate();
  useEffect(() => navigate(to, { replace: true }), [navigate, to]);
  return null;
}

/**
 * Returns the parameters of a path that fits the pattern, otherwise null. In a pattern, `:name` is one part of any text,
 * and a last `*` any number of parts. Upper and lower case are the same, and slashes at the end are ignored.
 */
export function matchPath(pattern: string, pathname: string): Record<string, string> | null {
  const wanted = partsOf(pattern);
  const given = partsOf(pathname);
  const isOpenEnded = wanted.at(-1) === '*';
  if (isOpenEnded) wanted.pop();
  if (isOpenEnded ? given.length < wanted.length : given.length !== wanted.length) return null;
  const params: Record<string, string> = {};
  for (const [i, part] of wanted.entries()) {
    const text = decoded(given[i] ?? '');
    if (part.startsWith(':') && text !== '') params[part.slice(1)] = text;
    else if (part.toLowerCase() !== text.toLowerCase()) return null;
  }
  return params;
}

function partsOf(path: string): string[] {
  const parts = path.split('/');
  // Not with a pattern, which would be slow for many slashes: the server reads every address that anybody sends.
  while (parts.length > 1 && parts.at(-1) === '') parts.pop();
  return parts;
}

/** Anyone can open an address with a malformed escape such as %E0%A4. It stays as it is. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Returns the address of a link on the page with this path. It never leads to another site, as `//example.com` does. */
export function hrefOf(to: To, pathname: string): string {
  const address = typeof to === 'string' ? addressOf(to) : to;
  const path = (address.pathname || pathname).replace(/^[/\\\s]*/, '/');
  return path + withMark('?', address.search) + withMark('#', address.hash);
}

function addressOf(href: string): Partial<Address> {
  const [, pathname = '', search = '', hash = ''] = /^([^?#]*)([^#]*)(.*)$/s.exec(href) ?? [];
  return { pathname, search, hash };
}

function withMark(mark: string, text = ''): string {
  const rest = text.startsWith(mark) ? text.slice(1) : text;
  return rest === '' ? '' : mark + rest;
}

/** What belongs to an entry of the browser history besides its address. */
type HistoryEntry = Pick<Location, 'key' | 'state'>;
/** The entry that the browser made when it opened the page, or for a link to a #hash. */
const firstEntry: HistoryEntry = { key: 'default', state: null };

/** The address bar and history as they are now; React may not have rendered the last navigation yet. */
export function currentLocation(): Location {
  const { pathname, search, hash } = window.location;
  return { pathname, search, hash, ...firstEntry, ...(window.history.state as HistoryEntry | null) };
}

function addToHistory(href: string, entry: HistoryEntry, replace: boolean): void {
  try {
    if (replace) window.history.replaceState(entry, '', href);
    else window.history.pushState(entry, '', href);
  } catch {
    // Safari refuses more than a hundred changes in ten seconds.
    window.location.assign(href);
  }
}

function createKey(): string {
  return Math.random().toString(36).slice(2, 10);
}
