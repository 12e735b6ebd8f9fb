import type { CSSProperties, ReactNode } from 'react';
import { useWords, type Words } from '../../../words/words.tsx';
import styles from './column-head.module.css';
import { ColumnResizer, type ResizeColumns } from './column-resizer.tsx';
import type { Chosen, Column } from './columns.ts';

type ColumnHeadProps = {
  chosen: readonly Chosen[];
  column: Column;
  className?: string | undefined;
  sort?: 'ascending' | 'descending' | undefined;
  onResize: ResizeColumns;
  children: ReactNode;
};

/** The head of a column, with a handle for its width. The name has none: it gets what the others leave. */
export function ColumnHead({ chosen, column, className, sort, onResize, children }: ColumnHeadProps) {
  const label = columnLabel(column, useWords());
  return (
    <th
      scope="col"
      data-column={column}
      aria-sort={sort}
      // Without the name of the handle, which screen readers would read with every cell.
      aria-label={label}
      className={className ? `${styles.head} ${className}` : styles.head}
      style={{ '--width': `var(--width-${column})` } as CSSProperties}
    >
      <div className={styles.label}>{children}</div>
      {column !== 'name' && <ColumnResizer chosen={chosen} column={column} label={label} onResize={onResize} />}
    </th>
  );
}

export function columnLabel(column: Column, { say }: Words): string {
  if (column === 'name') return say('inventory.product');
  if (column === 'dealer' || column === 'stock' || column === 'price' || column === 'update')
    return say(`inventory.${column}`);
  return say(`columns.${column}`);
}
