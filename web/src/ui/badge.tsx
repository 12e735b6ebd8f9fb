import type { ReactNode } from 'react';
import styles from './badge.module.css';

export type Tone = 'good' | 'warn' | 'bad' | 'plain';

/** A status, told by text and the shape of its mark, never by colour alone. */
export function Badge({ tone, children }: { tone: Tone; children: ReactNode }) {
  return <span className={`${styles.badge} ${styles[tone]}`}>{children}</span>;
}
