import type { findBatch } from '@perfume/contract/bulk';
import type { ReplyOf } from '@perfume/contract/endpoint';
import type { WireEntry } from '@perfume/contract/history';
import { useQuery } from '@tanstack/react-query';
import { ChevronDown, Undo2 } from 'lucide-react';
import { memo, type Ref } from 'react';

import { useMayUndo } from '../../live/may.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useWords } from '../../words/words.tsx';
import type { DisplayRow } from './display-rows.ts';
import styles from './history-batch-row.module.css';
import { HistoryKindIcon } from './history-kind-icon.tsx';
import { batchQuery } from './history-query.ts';
import rowStyles from './history-row.module.css';
import { Difference, type Layout, movesStock } from './history-row.tsx';
import { EntryTime } from './history-time.tsx';
import { entryLabel } from './history-words.ts';
import { PersonName } from './person-name.tsx';

type BatchProps = Layout & {
  ref: Ref<HTMLTableRowElement>;
  index: number;
  row: Extract<DisplayRow, { kind: 'batch' }>;
  onToggle: (key: string) => void;
  onUndoAll: (entry: WireEntry) => void;
};

/** The row of a bulk action. It expands to show the entries. */
export const HistoryBatchRow = memo(function HistoryBatchRow(props: BatchProps) {
  const { ref, index, row, narrow } = props;
  const words = useWords();
  const [first] = row.entries;
  // The counts come from the server, because only part of the batch may be loaded here.
  const { data: batch } = useQuery(batchQuery(row.batch));
  if (!first) return null;
  const delta = batch?.delta ?? null;
  const word = <span className={rowStyles.word}>{entryLabel(first, words)}</span>;
  const attributes = {
    ref,
    'data-index': index,
    'aria-rowindex': index + 2,
    'data-undone': batch?.standing === 0 || undefined,
    className: rowStyles.row,
  };
  if (narrow) {
    return (
      <tr {...attributes}>
        <th scope="row" className={rowStyles.story}>
          <div className={rowStyles.entry}>
            <HistoryKindIcon kind={first.kind} many />
            <div className={rowStyles.text}>
              {word}
              <Toggle {...props} batch={batch} />
              <div className={rowStyles.byline}>
                <EntryTime at={first.at} />
                <span>
                  <PersonName person={first.by} wrap={(name) => words.say('history.by', { name })} />
                </span>
              </div>
            </div>
          </div>
        </th>
        <td className={rowStyles.stock}>
          <Difference delta={delta} />
          <UndoAll {...props} batch={batch} />
        </td>
      </tr>
    );
  }
  return (
    <tr {...attributes}>
      <td className={rowStyles.when}>
        <EntryTime at={first.at} />
      </td>
      <td className={rowStyles.what}>
        <div className={rowStyles.kind}>
          <HistoryKindIcon kind={first.kind} many />
          {word}
        </div>
      </td>
      <th scope="row" className={styles.many}>
        <Toggle {...props} batch={batch} />
      </th>
      <td className={rowStyles.difference}>
        <Difference delta={delta} />
      </td>
      <td />
      <td className={rowStyles.who}>
        <PersonName person={first.by} />
      </td>
      <td className={rowStyles.undo}>
        <UndoAll {...props} batch={batch} />
      </td>
    </tr>
  );
});

type Counted = { batch: ReplyOf<typeof findBatch> | undefined };

function Toggle({ row: { key, open }, batch, onToggle }: BatchProps & Counted) {
  const { say } = useWords();
  return (
    <button type="button" className={styles.toggle} aria-expanded={open} onClick={() => onToggle(key)}>
      <span>{batch ? say('history.batch', { count: batch.entries }) : say('history.batch.several')}</span>
      <span className={styles.hint}>
        {say(open ? 'history.batch.hide' : 'history.batch.show')}
        <Icon of={ChevronDown} size={16} />
      </span>
    </button>
  );
}

/** The button that undoes every entry of the batch that is not undone yet. */
function UndoAll({ row: { entries }, batch, onUndoAll }: BatchProps & Counted) {
  const { say } = useWords();
  const [first] = entries;
  const mayUndo = useMayUndo();
  if (batch?.standing === 0) return <span className={styles.undone}>{say('history.isUndone')}</span>;
  if (!first || !mayUndo({ byId: first.by.id, movesStock: movesStock(first) })) return null;
  return (
    <Button look="plain" size="s" className={rowStyles.button} aria-haspopup="dialog" onClick={() => onUndoAll(first)}>
      <Icon of={Undo2} size={16} flips />
      {batch ? say('undo.all', { count: batch.standing }) : say('undo.everything')}
    </Button>
  );
}
