import type { ComponentProps } from 'react';
import styles from './table.module.css';

/** A table with thin lines between its rows and digits of equal width. */
export function Table({ className, ...rest }: ComponentProps<'table'>) {
  return <table {...rest} className={[styles.table, className].filter(Boolean).join(' ')} />;
}

/** A table cell with a number, aligned to the end of its column. */
export function FigureCell({ className, ...rest }: ComponentProps<'td'>) {
  return <td {...rest} className={[styles.figure, className].filter(Boolean).join(' ')} />;
}

export function FigureHead({ className, ...rest }: ComponentProps<'th'>) {
  return <th scope="col" {...rest} className={[styles.figure, className].filter(Boolean).join(' ')} />;
}
