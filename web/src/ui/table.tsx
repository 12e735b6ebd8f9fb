import type { ComponentProps } from 'react';
import styles from './table.module.css';

/** Hairlines, tabular figures, no boxes. */
export function Table({ className, ...rest }: ComponentProps<'table'>) {
  return <table {...rest} className={[styles.table, className].filter(Boolean).join(' ')} />;
}

/** Numbers are aligned to the end of their column. */
export function FigureCell({ className, ...rest }: ComponentProps<'td'>) {
  return <td {...rest} className={[styles.figure, className].filter(Boolean).join(' ')} />;
}

export function FigureHead({ className, ...rest }: ComponentProps<'th'>) {
  return <th scope="col" {...rest} className={[styles.figure, className].filter(Boolean).join(' ')} />;
}
