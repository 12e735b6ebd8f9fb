import { useEffect, useState } from 'react';
import { useMediaQuery } from '../../ui/media-query.ts';
import { readPreference, savePreference } from '../../ui/preference.ts';

/** The breakpoints of the shell's style sheets. */
const PHONE = '(max-width: 639px)';
const WIDE = '(min-width: 1024px)';
const PREFERENCE = 'sidebar';

export type SidebarState = {
  /** True on a phone, where the sidebar opens over the page. */
  drawer: boolean;
  expanded: boolean;
  setExpanded: (expanded: boolean) => void;
};

/**
 * The state of the sidebar. At first it is expanded on wide screens only; then it stays as the user left it. On a phone
 * it always starts closed, because the open drawer would cover the page.
 */
export function useSidebar(): SidebarState {
  const drawer = useMediaQuery(PHONE);
  const wide = useMediaQuery(WIDE);
  const [chosen, setChosen] = useState(() => readPreference(PREFERENCE));
  const [open, setOpen] = useState(false);
  useEffect(() => {
    if (!drawer) setOpen(false);
  }, [drawer]);
  if (drawer) return { drawer, expanded: open, setExpanded: setOpen };
  return {
    drawer,
    expanded: chosen === undefined ? wide : chosen === 'expanded',
    setExpanded: (expanded) => {
      const choice = expanded ? 'expanded' : 'collapsed';
      savePreference(PREFERENCE, choice);
      setChosen(choice);
    },
  };
}
