import type { WireEntry } from '@perfume/contract/history';
import { ChevronDown, Undo2 } from 'lucide-react';
import { memo, type Ref } from 'react';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useWords } from '../../words/words.tsx';
import styles from './history-batch-row.module.css';
import type { Line } from './history-lines.ts';
import { HistoryMark } from './history-mark.tsx';
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
  if (!first) return null;
  const sum = line.entries.reduce((all, { delta }) => all + (delta ?? 0), 0);
  const delta = first.delta === null ? null : sum;
  const word = <span className={rows.word}>{entryWord(first, words)}</span>;
  const row = { ref, 'data-index': index, 'aria-rowindex': index + 2, className: rows.row };
  if (narrow) {
    return (
      <tr {...row}>
        <th scope="row" className={rows.story}>
          <div className={rows.told}>
            <HistoryMark kind={first.kind} many />
            <div className={rows.text}>
              {word}
              <Toggle {...props} />
              <div className={rows.byline}>
                <EntryTime at={first.at} />
                <bdi>{words.say('history.by', { name: first.by.name })}</bdi>
              </div>
            </div>
          </div>
        </th>
        <td className={rows.stock}>
          <Difference delta={delta} />
          <UndoAll {...props} />
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
        <Toggle {...props} />
      </th>
      <td className={rows.difference}>
        <Difference delta={delta} />
      </td>
      <td />
      <td className={rows.who}>
        <bdi>{first.by.name}</bdi>
      </td>
      <td className={rows.undo}>
        <UndoAll {...props} />
      </td>
    </tr>
  );
});

function Toggle({ line: { key, entries, open }, onToggle }: BatchProps) {
  const { say } = useWords();
  return (
    <button type="button" className={styles.toggle} aria-expanded={open} onClick={() => onToggle(key)}>
      <span>{say('history.batch', { count: entries.length })}</span>
      <span className={styles.hint}>
        {say(open ? 'history.batch.hide' : 'history.batch.show')}
        <Icon of={ChevronDown} size={16} />
      </span>
    </button>
  );
}

/** Everything that still stands of it. */
function UndoAll({ line: { entries }, onUndoAll }: BatchProps) {
  const { say } = useWords();
  const left = entries.filter(({ undoneBy }) => undoneBy === null);
  const [first] = left;
  if (!first) return <span className={styles.undone}>{say('history.isUndone')}</span>;
  return (
    <Button look="plain" size="s" className={rows.button} aria-haspopup="dialog" onClick={() => onUndoAll(first)}>
      <Icon of={Undo2} size={16} flips />
      {say('undo.all', { count: left.length })}
    </Button>
  );
}
