import { type ReactNode, useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { useNotifyLoadFailed } from '../../lazy/load-failed.ts';

type Parts = {
  CommandPalette: typeof import('./command-palette.tsx').CommandPalette;
  ShortcutsHelp: typeof import('./shortcuts-help.tsx').ShortcutsHelp;
};

let parts: Parts | null = null;

/** Loads the palette and the help sheet ahead of time. A failure is reported only when the user opens one of them. */
export function preloadOverlays(): void {
  load().catch(() => {});
}

async function load(): Promise<void> {
  const [{ CommandPalette }, { ShortcutsHelp }] = await Promise.all([
    import('./command-palette.tsx'),
    import('./shortcuts-help.tsx'),
  ]);
  parts = { CommandPalette, ShortcutsHelp };
}

const PRELOAD_AFTER_MS = 1_500;

/** The command palette and the help sheet of shortcuts. Their code is loaded shortly after the page. */
export function useOverlay(): { overlay: ReactNode; openPalette: () => void; openHelp: () => void } {
  const notifyLoadFailed = useNotifyLoadFailed();
  const [shown, setShown] = useState<'palette' | 'help' | null>(null);
  useEffect(() => {
    const timer = setTimeout(preloadOverlays, PRELOAD_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);

  function open(which: 'palette' | 'help') {
    // Opens the overlay synchronously, so that the next key press already goes into it.
    if (parts) return flushSync(() => setShown(which));
    load().then(() => setShown(which), notifyLoadFailed);
  }

  // The palette returns the focus just after it closes. The help sheet opens only then; earlier, it would lose the
  // focus.
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
