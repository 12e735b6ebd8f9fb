import { type ComponentProps, type MouseEvent, startTransition } from 'react';
import { createPath, type To, useHref, useLocation, useNavigate, useResolvedPath } from 'react-router';

export type LinkProps = Omit<ComponentProps<'a'>, 'href'> & { to: To };

/**
 * A link within the site, followed without loading the page anew. react-router has one too, but in one module with
 * its data loading and prefetching: 5 kB more script on every first visit.
 */
export function Link({ to, onClick, ...rest }: LinkProps) {
  const href = useHref(to);
  const navigate = useNavigate();
  const here = createPath(useLocation());
  const there = createPath(useResolvedPath(to));
  function follow(event: MouseEvent<HTMLAnchorElement>) {
    onClick?.(event);
    if (event.defaultPrevented || opensElsewhere(event) || (rest.target ?? '_self') !== '_self') return;
    event.preventDefault();
    // As browsers do: following a link to the page one is on adds nothing to the way back.
    startTransition(() => void navigate(to, { replace: here === there }));
  }
  return <a {...rest} href={href} onClick={follow} />;
}

/** A link in a menu of pages: says which of them is open. */
export function NavLink({ to, ...rest }: LinkProps & { to: string }) {
  const isOpen = useLocation().pathname.toLowerCase() === to.split(/[?#]/, 1)[0]?.toLowerCase();
  return <Link {...rest} to={to} aria-current={isOpen ? 'page' : undefined} />;
}

/** In a new tab or window, or saved: that is the browser's to do. */
function opensElsewhere({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean {
  return button !== 0 || metaKey || ctrlKey || shiftKey || altKey;
}
