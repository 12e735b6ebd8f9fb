import { type ReactNode, useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { useNotifyLoadFailed } from '../../parts/load-failed.ts';

type Parts = {
  CommandPalette: typeof import('./command-palette.tsx').CommandPalette;
  ShortcutsHelp: typeof import('./shortcuts-help.tsx').ShortcutsHelp;
};

let parts: Parts | null = null;

/** Palette and help sheet. Without a connection nothing is said yet: opening says it. */
export function fetchOverlays(): void {
  load().catch(() => {});
}

async function load(): Promise<void> {
  const [{ CommandPalette }, { ShortcutsHelp }] = await Promise.all([
    import('./command-palette.tsx'),
    import('./shortcuts-help.tsx'),
  ]);
  parts = { CommandPalette, ShortcutsHelp };
}

const WHEN_QUIET_MS = 1_500;

/** What lies over the page. It is no part of the first load, but is there before anybody asks for it. */
export function useOverlay(): { overlay: ReactNode; openPalette: () => void; openHelp: () => void } {
  const notifyLoadFailed = useNotifyLoadFailed();
  const [shown, setShown] = useState<'palette' | 'help' | null>(null);
  useEffect(() => {
    const timer = setTimeout(fetchOverlays, WHEN_QUIET_MS);
    return () => clearTimeout(timer);
  }, []);

  function open(which: 'palette' | 'help') {
    // At once, so that the very next key is typed into it.
    if (parts) return flushSync(() => setShown(which));
    load().then(() => setShown(which), notifyLoadFailed);
  }

  // The palette gives the focus back as it goes, a moment after; only then can help take it and give it back in turn.
  const [helpFollows, setHelpFollows] = useState(false);
  useEffect(() => {
    if (!helpFollows) return;
    const timer = setTimeout(() => {
      setHelpFollows(false);
      setShown('help');
    });
    return () => clearTimeout(timer);
  }, [helpFollows]);

  const close = () => setShown(null);
  const openPalette = () => open('palette');
  const openHelp = () => open('help');
  const overlay = parts && (
    <>
      {shown === 'palette' && <parts.CommandPalette onClose={close} openHelp={() => setHelpFollows(true)} />}
      {shown === 'help' && <parts.ShortcutsHelp onClose={close} />}
    </>
  );
  return { overlay, openPalette, openHelp };
}
