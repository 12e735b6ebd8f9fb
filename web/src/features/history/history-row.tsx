import type { WireEntry } from '@perfume/contract/history';
import { Undo2 } from 'lucide-react';
import { memo, type ReactNode, type Ref } from 'react';
import { useMayUndo } from '../../live/may.ts';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Link } from '../../ui/link.tsx';
import { useWords } from '../../words/words.tsx';
import { signed } from '../ledger/signed.ts';
import { HistoryDetails } from './history-details.tsx';
import { HistoryKindIcon } from './history-kind-icon.tsx';
import styles from './history-row.module.css';
import { EntryTime } from './history-time.tsx';
import { entryLabel, nameOf } from './history-words.ts';
import { PersonName } from './person-name.tsx';

/** `narrow`: the table has two columns. `named`: each row shows the name of its item. */
export type Layout = { narrow: boolean; named: boolean };

type RowProps = Layout & {
  ref: Ref<HTMLTableRowElement>;
  index: number;
  entry: WireEntry;
  undoing: WireEntry | undefined;
  inBatch: boolean;
  /** Whether the entry has just arrived and is highlighted. */
  isNew: boolean;
  onUndo: (entry: WireEntry) => void;
  onHover: (entry: WireEntry) => void;
};

/** The table row of one entry. */
export const HistoryRow = memo(function HistoryRow(props: RowProps) {
  const { ref, index, entry, narrow, isNew, inBatch } = props;
  const Cells = narrow ? NarrowCells : WideCells;
  return (
    <tr
      ref={ref}
      data-index={index}
      data-entry={entry.id}
      aria-rowindex={index + 2}
      className={[styles.row, isNew && styles.isNew, inBatch && styles.inBatch].filter(Boolean).join(' ')}
      data-undone={entry.undoneBy !== null || undefined}
    >
      <Cells {...props} />
    </tr>
  );
});

function WideCells(props: RowProps) {
  const { entry, named } = props;
  const words = useWords();
  const details = <HistoryDetails {...props} />;
  return (
    <>
      <td className={styles.when}>
        <EntryTime at={entry.at} />
      </td>
      <What named={named} details={details}>
        <HistoryKindIcon kind={entry.kind} />
        <span className={styles.word}>{entryLabel(entry, words)}</span>
      </What>
      {named && (
        <th scope="row">
          <ItemLink entry={entry} />
          {details}
        </th>
      )}
      <td className={styles.difference}>
        <Difference delta={entry.delta} />
      </td>
      <td className={styles.after}>{entry.quantityAfter !== null && words.number(entry.quantityAfter)}</td>
      <td className={styles.who}>
        <PersonName person={entry.by} />
      </td>
      <td className={styles.undo}>
        <UndoButton {...props} />
      </td>
    </>
  );
}

/** The cell with the kind of entry. In a list without item names, this cell is the row header and holds the details. */
function What({ named, details, children }: { named: boolean; details: ReactNode; children: ReactNode }) {
  if (named) {
    return (
      <td className={styles.what}>
        <div className={styles.kind}>{children}</div>
      </td>
    );
  }
  return (
    <th scope="row" className={styles.what}>
      <div className={styles.kind}>{children}</div>
      <div className={styles.under}>{details}</div>
    </th>
  );
}

function NarrowCells(props: RowProps) {
  const { entry, named } = props;
  const words = useWords();
  const { say } = words;
  return (
    <>
      <th scope="row" className={styles.story}>
        <div className={styles.entry}>
          <HistoryKindIcon kind={entry.kind} />
          <div className={styles.text}>
            <p className={styles.word}>{entryLabel(entry, words)}</p>
            {named && <ItemLink entry={entry} />}
            <HistoryDetails {...props} />
            <div className={styles.byline}>
              <EntryTime at={entry.at} />
              <span>
                <PersonName person={entry.by} wrap={(name) => say('history.by', { name })} />
              </span>
            </div>
          </div>
        </div>
      </th>
      <td className={styles.stock}>
        <Difference delta={entry.delta} />
        {entry.quantityAfter !== null && (
          <p className={styles.left}>{say('history.after', { count: entry.quantityAfter })}</p>
        )}
        <UndoButton {...props} />
      </td>
    </>
  );
}

/** The item of the entry. A change of the settings has none and names the warehouse instead. */
function ItemLink({ entry }: { entry: WireEntry }) {
  const words = useWords();
  if (entry.itemId === null) return <span className={styles.name}>{nameOf(entry, words)}</span>;
  return (
    <Link to={paths.item(entry.itemId)} className={styles.name}>
      <bdi>{entry.itemName}</bdi>
    </Link>
  );
}

/** The change of quantity, with its sign. */
export function Difference({ delta }: { delta: number | null }) {
  const { locale } = useWords();
  if (delta === null) return null;
  return (
    <span className={styles.delta} data-sign={Math.sign(delta)}>
      {signed(delta, locale)}
    </span>
  );
}

/** Whether the entry only moved stock. The first quantity of an item is part of adding it. */
export function movesStock({ kind, delta }: WireEntry): boolean {
  return delta !== null && kind !== 'opening';
}

function UndoButton({ entry, onUndo, onHover }: Pick<RowProps, 'entry' | 'onUndo' | 'onHover'>) {
  const words = useWords();
  const mayUndo = useMayUndo();
  if (entry.undoneBy !== null || !mayUndo({ byId: entry.by.id, movesStock: movesStock(entry) })) return null;
  const what = `${entryLabel(entry, words)}, ${nameOf(entry, words)}`;
  return (
    <Button
      look="plain"
      size="s"
      className={styles.button}
      aria-label={words.say('undo.of', { what })}
      aria-haspopup="dialog"
      onClick={() => onUndo(entry)}
      onPointerEnter={() => onHover(entry)}
      onFocus={() => onHover(entry)}
    >
      <Icon of={Undo2} size={16} flips />
      {words.say('history.undo')}
    </Button>
  );
}
