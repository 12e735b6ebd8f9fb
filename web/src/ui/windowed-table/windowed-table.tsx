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
  let spacers = 0;
  const fillTo = (start: number) => {
    if (start > end) lines.push(<Spacer key={`space-${spacers++}`} height={start - end} columns={columns} />);
  };
  for (const row of rows) {
    fillTo(row.start);
    end = row.end;
    lines.push(renderRow(row.index));
  }
  fillTo(totalHeight);
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
