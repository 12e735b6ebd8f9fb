import { type ComponentType, lazy, type ReactNode, Suspense, useState } from 'react';

type Trigger = {
  'aria-haspopup': 'menu' | 'dialog';
  'aria-expanded': false;
  onClick: () => void;
  onPointerEnter: () => void;
  onFocus: () => void;
};

/**
 * A menu or dialog whose code is fetched when its button is pointed at or focused, not with the page.
 * Until then `button` draws the plain button; afterwards the real thing takes its place, already open.
 */
export function onDemand(opens: 'menu' | 'dialog', load: () => Promise<ComponentType>) {
  const fetched = async () => ({ default: await load() });
  const Loaded = lazy(fetched);
  const near = () => void load();
  return function OnDemand({ button }: { button: (trigger: Trigger) => ReactNode }) {
    const [wanted, setWanted] = useState(false);
    const plain = button({
      'aria-haspopup': opens,
      'aria-expanded': false,
      onClick: () => setWanted(true),
      onPointerEnter: near,
      onFocus: near,
    });
    if (!wanted) return plain;
    return (
      <Suspense fallback={plain}>
        <Loaded />
      </Suspense>
    );
  };
}
