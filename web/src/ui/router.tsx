import { type ReactNode, startTransition, useCallback, useLayoutEffect, useMemo, useState } from 'react';
import {
  UNSAFE_createBrowserHistory as createBrowserHistory,
  type NavigateOptions,
  Router,
  useLocation,
  useNavigate,
} from 'react-router';

// The two pieces of react-router that stand in one module with its data loading; ui/link.tsx says why they are ours.

export function BrowserRouter({ children }: { children: ReactNode }) {
  const [history] = useState(() => createBrowserHistory({ v5Compat: true }));
  const [now, setNow] = useState({ action: history.action, location: history.location });
  // As a transition: the page one is on stays until the next one is there.
  useLayoutEffect(() => history.listen((next) => startTransition(() => setNow(next))), [history]);
  return (
    <Router location={now.location} navigationType={now.action} navigator={history}>
      {children}
    </Router>
  );
}

/** The question in the address, and a way to ask another one. */
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
