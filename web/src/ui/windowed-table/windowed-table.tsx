import type { ComponentProps, ReactNode } from 'react';
import type { WindowedRow } from './use-windowed-rows.ts';
import styles from './windowed-table.module.css';

type WindowedTableProps = ComponentProps<'table'> & {
  head: ReactNode;
  body: ComponentProps<'tbody'>;
  columns: number;
  rows: readonly WindowedRow[];
  totalHeight: number;
  /** Returns one `<tr>` with a `key`. */
  renderRow: (index: number) => ReactNode;
};

/** A long table that draws only some of its rows. Spacers take the place of the others, so the scroll bar is right. */
export function WindowedTable(props: WindowedTableProps) {
  const { head, body, columns, rows, totalHeight, renderRow, className, ...rest } = props;
  const lines: ReactNode[] = [];
  let end = 0;
  let gaps = 0;
  // The keys of spacers keep them in order, so React never moves a row past a spacer. A moved row would lose the focus,
  // and giving the focus back would scroll the window to that row.
  const fillTo = (start: number, key: string) => {
    if (start <= end) return;
    gaps++;
    lines.push(<Spacer key={key} height={start - end} columns={columns} />);
  };
  for (const row of rows) {
    fillTo(row.start, lines.length === 0 ? 'space-above' : `gap-${gaps}`);
    end = row.end;
    lines.push(renderRow(row.index));
  }
  fillTo(totalHeight, 'space-below');
  return (
    <table {...rest} className={[styles.table, className].filter(Boolean).join(' ')}>
      {head}
      <tbody {...body}>{lines}</tbody>
    </table>
  );
}

function Spacer({ height, columns }: { height: number; columns: number }) {
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in the spacer takes the focus.
    <tr aria-hidden="true" className={styles.spacer}>
      <td colSpan={columns} style={{ height }} />
    </tr>
  );
}
