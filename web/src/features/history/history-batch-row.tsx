import type { findBatch } from '@perfume/contract/bulk';
import type { WireEntry } from '@perfume/contract/history';
import { useQuery } from '@tanstack/react-query';
import { ChevronDown, Undo2 } from 'lucide-react';
import { memo, type Ref } from 'react';
import type { ReplyOf } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useWords } from '../../words/words.tsx';
import styles from './history-batch-row.module.css';
import type { Line } from './history-lines.ts';
import { HistoryMark } from './history-mark.tsx';
import { batchQuery } from './history-query.ts';
import rows from './history-row.module.css';
import { Difference, type Layout } from './history-row.tsx';
import { EntryTime } from './history-time.tsx';
import { entryWord } from './history-words.ts';

type BatchProps = Layout & {
  ref: Ref<HTMLTableRowElement>;
  index: number;
  line: Extract<Line, { kind: 'batch' }>;
  onToggle: (key: string) => void;
  onUndoAll: (entry: WireEntry) => void;
};

/** What was done to many items at once, in one line. */
export const HistoryBatchRow = memo(function HistoryBatchRow(props: BatchProps) {
  const { ref, index, line, narrow } = props;
  const words = useWords();
  const [first] = line.entries;
  // Only a part of it may be loaded, so the server counts.
  const { data: batch } = useQuery(batchQuery(line.batch));
  if (!first) return null;
  const delta = batch?.delta ?? null;
  const word = <span className={rows.word}>{entryWord(first, words)}</span>;
  const row = {
    ref,
    'data-index': index,
    'aria-rowindex': index + 2,
    'data-undone': batch?.standing === 0 || undefined,
    className: rows.row,
  };
  if (narrow) {
    return (
      <tr {...row}>
        <th scope="row" className={rows.story}>
          <div className={rows.told}>
            <HistoryMark kind={first.kind} many />
            <div className={rows.text}>
              {word}
              <Toggle {...props} batch={batch} />
              <div className={rows.byline}>
                <EntryTime at={first.at} />
                <bdi>{words.say('history.by', { name: first.by.name })}</bdi>
              </div>
            </div>
          </div>
        </th>
        <td className={rows.stock}>
          <Difference delta={delta} />
          <UndoAll {...props} batch={batch} />
        </td>
      </tr>
    );
  }
  return (
    <tr {...row}>
      <td className={rows.when}>
        <EntryTime at={first.at} />
      </td>
      <td className={rows.what}>
        <div className={rows.kind}>
          <HistoryMark kind={first.kind} many />
          {word}
        </div>
      </td>
      <th scope="row" className={styles.many}>
        <Toggle {...props} batch={batch} />
      </th>
      <td className={rows.difference}>
        <Difference delta={delta} />
      </td>
      <td />
      <td className={rows.who}>
        <bdi>{first.by.name}</bdi>
      </td>
      <td className={rows.undo}>
        <UndoAll {...props} batch={batch} />
      </td>
    </tr>
  );
});

type Counted = { batch: ReplyOf<typeof findBatch> | undefined };

function Toggle({ line: { key, open }, batch, onToggle }: BatchProps & Counted) {
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

/** Everything that still stands of it. */
function UndoAll({ line: { entries }, batch, onUndoAll }: BatchProps & Counted) {
  const { say } = useWords();
  const [first] = entries;
  if (batch?.standing === 0) return <span className={styles.undone}>{say('history.isUndone')}</span>;
  return (
    <Button
      look="plain"
      size="s"
      className={rows.button}
      aria-haspopup="dialog"
      onClick={() => first && onUndoAll(first)}
    >
      <Icon of={Undo2} size={16} flips />
      {batch ? say('undo.all', { count: batch.standing }) : say('undo.everything')}
    </Button>
  );
}
