import type { ComponentProps, ReactNode } from 'react';
import type { WindowedRow } from './use-windowed-rows.ts';
import styles from './windowed-table.module.css';

type WindowedTableProps = ComponentProps<'table'> & {
  head: ReactNode;
  body: ComponentProps<'tbody'>;
  columns: number;
  rows: readonly WindowedRow[];
  totalHeight: number;
  /** One keyed `<tr>`. */
  renderRow: (index: number) => ReactNode;
};

/** A table of any length that draws only some of its rows. Spacers fill the gaps, so the scroll bar is right. */
export function WindowedTable(props: WindowedTableProps) {
  const { head, body, columns, rows, totalHeight, renderRow, className, ...rest } = props;
  const lines: ReactNode[] = [];
  let end = 0;
  let gaps = 0;
  // Keys keep spacers in their order, so React never moves a row past one: a moved row loses the focus, and giving it
  // back would scroll the window to that row.
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
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it takes the focus.
    <tr aria-hidden="true" className={styles.spacer}>
      <td colSpan={columns} style={{ height }} />
    </tr>
  );
}
