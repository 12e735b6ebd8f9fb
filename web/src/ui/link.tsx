import { type ComponentProps, type MouseEvent, startTransition } from 'react';
import { createPath, type To, useHref, useLocation, useNavigate, useResolvedPath } from 'react-router';

export type LinkProps = Omit<ComponentProps<'a'>, 'href'> & { to: To };

/**
 * A link within the site that does not reload the page. react-router's own link is not used, because its module also
 * contains data loading and prefetching: 5 kB more script on every first visit.
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
    // As browsers do: a link to the current page adds no history entry.
    startTransition(() => void navigate(to, { replace: here === there }));
  }
  return <a {...rest} href={href} onClick={follow} />;
}

/** A link in a navigation, marked when its page is open. */
export function NavLink({ to, ...rest }: LinkProps & { to: string }) {
  const isOpen = useLocation().pathname.toLowerCase() === to.split(/[?#]/, 1)[0]?.toLowerCase();
  return <Link {...rest} to={to} aria-current={isOpen ? 'page' : undefined} />;
}

/** Whether this click makes the browser open the link in a new tab or window, or save it. */
function opensElsewhere({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean {
  return button !== 0 || metaKey || ctrlKey || shiftKey || altKey;
}
