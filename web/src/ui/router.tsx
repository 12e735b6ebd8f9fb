import { type ReactNode, startTransition, useCallback, useLayoutEffect, useMemo, useState } from 'react';
import {
  UNSAFE_createBrowserHistory as createBrowserHistory,
  type NavigateOptions,
  Router,
  useLocation,
  useNavigate,
} from 'react-router';

// Small versions of two parts of react-router. The originals are in one module with its data loading, which would add
// to the script of every page; see ui/link.tsx.

export function BrowserRouter({ children }: { children: ReactNode }) {
  const [history] = useState(() => createBrowserHistory({ v5Compat: true }));
  const [now, setNow] = useState({ action: history.action, location: history.location });
  // A transition keeps the current page on screen until the next one is loaded.
  useLayoutEffect(() => history.listen((next) => startTransition(() => setNow(next))), [history]);
  return (
    <Router location={now.location} navigationType={now.action} navigator={history}>
      {children}
    </Router>
  );
}

/** The query string of the address, and a function to change it. */
export function useSearchParams() {
  const { search } = useLocation();
  const navigate = useNavigate();
  const params = useMemo(() => new URLSearchParams(search), [search]);
  const setParams = useCallback(
    (next: (now: URLSearchParams) => URLSearchParams, options?: NavigateOptions) =>
      void navigate(`?${next(new URLSearchParams(params))}`, options),
    [navigate, params],
  );
  return [params, setParams] as const;
}
