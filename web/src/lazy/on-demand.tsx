import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { useNotifyLoadFailed } from './load-failed.ts';

type Trigger = {
  'aria-haspopup': 'menu' | 'dialog';
  'aria-expanded': false;
  onClick: () => void;
  onPointerEnter: () => void;
  onFocus: () => void;
};

/** With the option `early`, the code is loaded this long after the button appeared. */
const EARLY_MS = 3_000;

/**
 * Returns a menu or dialog whose code is loaded when its button is hovered or focused. `button` renders that button;
 * after a click the loaded component replaces it, already open. When the code cannot be loaded, a toast says so. With
 * `early`, the code is loaded soon after the page, so that it is there when the connection is not.
 */
export function onDemand(opens: 'menu' | 'dialog', load: () => Promise<ComponentType>, early = false) {
  const preload = () => void load().catch(() => {});
  return function OnDemand({ button }: { button: (trigger: Trigger) => ReactNode }) {
    const [Loaded, setLoaded] = useState<ComponentType | null>(null);
    useEffect(() => {
      if (!early) return;
      const timer = setTimeout(preload, EARLY_MS);
      return () => clearTimeout(timer);
    }, []);
    const notifyLoadFailed = useNotifyLoadFailed();
    const open = () => void load().then((part) => setLoaded(() => part), notifyLoadFailed);
    if (Loaded) return <Loaded />;
    return button({
      'aria-haspopup': opens,
      'aria-expanded': false,
      onClick: open,
      onPointerEnter: preload,
      onFocus: preload,
    });
  };
}
