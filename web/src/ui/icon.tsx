import type { LucideIcon } from 'lucide-react';
import styles from './icon.module.css';

/** An ornament beside words. `flips` turns it round where people read from right to left. */
export function Icon({ of: Drawing, size = 20, flips = false }: { of: LucideIcon; size?: number; flips?: boolean }) {
  return <Drawing size={size} strokeWidth={1.6} aria-hidden="true" className={flips ? styles.flips : styles.icon} />;
}
