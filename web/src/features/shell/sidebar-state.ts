import { useEffect, useState } from 'react';
import { useMediaQuery } from '../../ui/media-query.ts';
import { readPreference, savePreference } from '../../ui/preference.ts';

/** The style sheets of the shell turn at the same widths. */
const PHONE = '(max-width: 639px)';
const WIDE = '(min-width: 1024px)';
const KEPT = 'sidebar';

export type SidebarState = {
  /** On a phone it opens over the page instead of beside it. */
  drawer: boolean;
  expanded: boolean;
  setExpanded: (expanded: boolean) => void;
};

/**
 * Collapsed on phones, expanded on wide screens, and afterwards as it was left. What a phone opens is not remembered: a
 * drawer that lies over every page one comes to is only in the way.
 */
export function useSidebar(): SidebarState {
  const drawer = useMediaQuery(PHONE);
  const wide = useMediaQuery(WIDE);
  const [chosen, setChosen] = useState(() => readPreference(KEPT));
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
      savePreference(KEPT, choice);
      setChosen(choice);
    },
  };
}
