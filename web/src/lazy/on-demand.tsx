import { type ComponentType, type ReactNode, useState } from 'react';
import { useNotifyLoadFailed } from './load-failed.ts';

type Trigger = {
  'aria-haspopup': 'menu' | 'dialog';
  'aria-expanded': false;
  onClick: () => void;
  onPointerEnter: () => void;
  onFocus: () => void;
};

/**
 * Returns a menu or dialog whose code is loaded when its button is hovered or focused. `button` renders that button;
 * after a click the loaded component replaces it, already open. When the code cannot be loaded, a toast says so.
 */
export function onDemand(opens: 'menu' | 'dialog', load: () => Promise<ComponentType>) {
  const preload = () => void load().catch(() => {});
  return function OnDemand({ button }: { button: (trigger: Trigger) => ReactNode }) {
    const [Loaded, setLoaded] = useState<ComponentType | null>(null);
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
