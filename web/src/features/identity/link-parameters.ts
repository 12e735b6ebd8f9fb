import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from '../../ui/router.tsx';

/**
 * Returns the parameters of a link from an email, and removes them at once from the address bar and the browser
 * history. They are in the fragment, which the server never sees, so this is null until the page runs in the browser.
 * Links of earlier versions have them in the query.
 */
export function useLinkParameters(): URLSearchParams | null {
  const { pathname, search, hash } = useLocation();
  const navigate = useNavigate();
  const [params, setParams] = useState<URLSearchParams | null>(null);
  useEffect(() => {
    const given = [hash, search].map((part) => new URLSearchParams(part.slice(1))).find((part) => part.has('token'));
    setParams((before) => given ?? before ?? new URLSearchParams());
    if (given) navigate(pathname, { replace: true });
  }, [pathname, search, hash, navigate]);
  return params;
}
