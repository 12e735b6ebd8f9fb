import type { ReactNode } from 'react';
import { Drawing } from './drawing.tsx';
import styles from './empty-state.module.css';

/** Shown in place of missing content: one sentence and at most one action. */
export function EmptyState({ text, alert = false, children }: { text: string; alert?: boolean; children?: ReactNode }) {
  return (
    <div className={styles.empty} role={alert ? 'alert' : undefined}>
      <Drawing
        viewBox="0 0 240 120"
        className={styles.drawing}
        shelf="M8 106h224"
        rule="M46 106v6M82 106v6M158 106v6M194 106v6"
      >
        <path className={styles.ghost} d="M106 105V62q0-6 6-6h3V44h10v12h3q6 0 6 6v43zM115 44V30h10v14" />
      </Drawing>
      <p className={styles.text}>{text}</p>
      {children}
    </div>
  );
}
