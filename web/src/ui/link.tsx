import { type ComponentProps, type MouseEvent, startTransition } from 'react';
import { hrefOf, type To, useLocation, useNavigate } from './router.tsx';

export type LinkProps = Omit<ComponentProps<'a'>, 'href'> & { to: To };

/** A link within the site that does not reload the page. */
export function Link({ to, onClick, ...rest }: LinkProps) {
  const here = useLocation();
  const navigate = useNavigate();
  const href = hrefOf(to, here.pathname);
  function follow(event: MouseEvent<HTMLAnchorElement>) {
    onClick?.(event);
    if (event.defaultPrevented || opensElsewhere(event) || (rest.target ?? '_self') !== '_self') return;
    event.preventDefault();
    // As browsers do: a link to the current page adds no history entry.
    startTransition(() => navigate(to, { replace: href === hrefOf(here, here.pathname) }));
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
