import type { ReactNode } from 'react';
import styles from './badge.module.css';

export type Tone = 'good' | 'warn' | 'bad' | 'plain';

/** A status label. Its text and the shape of its mark show the status, never the colour alone. */
export function Badge({ tone, children }: { tone: Tone; children: ReactNode }) {
  return <span className={`${styles.badge} ${styles[tone]}`}>{children}</span>;
}
