import type { ComponentProps } from 'react';
import styles from './table.module.css';

/** A page of the ledger: hairlines, tabular figures, no boxes. */
export function Table({ className, ...rest }: ComponentProps<'table'>) {
  return <table {...rest} className={[styles.table, className].filter(Boolean).join(' ')} />;
}

/** Figures stand at the end of their column. */
export function FigureCell({ className, ...rest }: ComponentProps<'td'>) {
  return <td {...rest} className={[styles.figure, className].filter(Boolean).join(' ')} />;
}

export function FigureHead({ className, ...rest }: ComponentProps<'th'>) {
  return <th scope="col" {...rest} className={[styles.figure, className].filter(Boolean).join(' ')} />;
}
