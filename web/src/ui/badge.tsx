import type { ReactNode } from 'react';
import styles from './badge.module.css';

export type Tone = 'good' | 'warn' | 'bad' | 'plain';

/** A state in a word, with a mark of its own shape: never colour alone. */
export function Badge({ tone, children }: { tone: Tone; children: ReactNode }) {
  return <span className={`${styles.badge} ${styles[tone]}`}>{children}</span>;
}
