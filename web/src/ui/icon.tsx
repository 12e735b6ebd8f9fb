import type { LucideIcon } from 'lucide-react';
import styles from './icon.module.css';

/** A decorative icon. `flips` mirrors it in right-to-left languages. */
export function Icon({ of: Drawing, size = 20, flips = false }: { of: LucideIcon; size?: number; flips?: boolean }) {
  return <Drawing size={size} strokeWidth={1.6} aria-hidden="true" className={flips ? styles.flips : styles.icon} />;
}
