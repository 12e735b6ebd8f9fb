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
 * A menu or dialog whose code is fetched when its button is pointed at or focused, not with the page.
 * Until then `button` draws the plain button; afterwards the real thing takes its place, already open. Where the code does
 * not arrive, a notice says so and the button can be pressed again.
 */
export function onDemand(opens: 'menu' | 'dialog', load: () => Promise<ComponentType>) {
  const near = () => void load().catch(() => {});
  return function OnDemand({ button }: { button: (trigger: Trigger) => ReactNode }) {
    const [Loaded, setLoaded] = useState<ComponentType | null>(null);
    const notifyLoadFailed = useNotifyLoadFailed();
    const open = () => void load().then((part) => setLoaded(() => part), notifyLoadFailed);
    if (Loaded) return <Loaded />;
    return button({
      'aria-haspopup': opens,
      'aria-expanded': false,
      onClick: open,
      onPointerEnter: near,
      onFocus: near,
    });
  };
}
