import type { ReactNode } from 'react';
import styles from './drawing.module.css';

type DrawingProps = {
  viewBox: string;
  className: string | undefined;
  /** The path of the shelf that everything stands on. */
  shelf: string;
  /** The path of the marks along the shelf's edge. */
  rule: string;
  children: ReactNode;
};

/** A line drawing of things on a shelf. Screen readers skip it: it is only decoration for the text beside it. */
export function Drawing({ viewBox, className, shelf, rule, children }: DrawingProps) {
  return (
    <svg viewBox={viewBox} className={`${styles.drawing} ${className}`} aria-hidden="true" focusable="false">
      <path className={styles.shelf} d={shelf} />
      <path className={styles.rule} d={rule} />
      {children}
    </svg>
  );
}
