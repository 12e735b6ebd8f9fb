import type { WireEntry } from '@perfume/contract/history';
import { fromWireName } from '@perfume/contract/wire-item';
import type { FieldValue } from '@perfume/domain/edits';
import { useQuery } from '@tanstack/react-query';
import { ArrowRight } from 'lucide-react';
import { Icon } from '../../ui/icon.tsx';
import { Picture } from '../../ui/picture.tsx';
import { useWords } from '../../words/words.tsx';
import styles from './history-details.module.css';
import { undoingQuery } from './history-query.ts';
import { shortTime } from './history-time.tsx';
import { changedPart, fieldLabel, valueText } from './history-words.ts';
import { personText } from './person-name.tsx';

type DetailsProps = {
  entry: WireEntry;
  /** The entry that undid this one, if it is loaded. */
  undoing: WireEntry | undefined;
  /** Whether the row is inside an expanded bulk action. */
  inBatch: boolean;
};

/** Shows why a count differed, an entry's note, its changed fields, and who undid it. */
export function HistoryDetails({ entry, undoing, inBatch }: DetailsProps) {
  const { say } = useWords();
  const { reason, note, changes, undoneBy, undoes, kind, batch } = entry;
  return (
    <>
      {reason !== null && <p className={styles.reason}>{say(`reason.${reason}`)}</p>}
      {note !== null && (
        <p className={styles.note} dir="auto">
          {note}
        </p>
      )}
      <Changes changes={changes} />
      {undoes !== null && kind !== 'undo' && <p className={styles.aside}>{say('history.asUndo')}</p>}
      {batch !== null && !inBatch && <p className={styles.aside}>{say('history.batch.part')}</p>}
      {undoneBy !== null && <UndoneBy entry={entry} undoing={undoing} />}
    </>
  );
}

function UndoneBy({ entry, undoing }: Pick<DetailsProps, 'entry' | 'undoing'>) {
  const words = useWords();
  const { say, locale } = words;
  const { data } = useQuery({ ...undoingQuery(entry), enabled: undoing === undefined });
  const by = undoing ?? data?.find(({ id }) => id === entry.undoneBy);
  return (
    <p className={styles.undone}>
      {by
        ? say('history.undoneBy', { name: personText(by.by, words), when: shortTime(by.at, locale) })
        : say('history.isUndone')}
    </p>
  );
}

/** The old and the new value of each changed field. */
export function Changes({ changes }: { changes: WireEntry['changes'] }) {
  const words = useWords();
  if (changes.length === 0) return null;
  return (
    <ul className={styles.changes}>
      {changes.map(shorten).map(({ field, from, to }) => (
        <li key={field} className={styles.change}>
          <span className={styles.field}>{fieldLabel(field, words)}</span>
          <del className={styles.from}>
            <Value field={field} value={from} />
          </del>
          <span className={styles.arrow}>
            <span className="visually-hidden">{words.say('history.changedTo')}</span>
            <Icon of={ArrowRight} size={14} flips />
          </span>
          <ins className={styles.to}>
            <Value field={field} value={to} />
          </ins>
        </li>
      ))}
    </ul>
  );
}

function shorten(change: WireEntry['changes'][number]): WireEntry['changes'][number] {
  const { field, from, to } = change;
  if (fromWireName(field) === 'imageUrl' || typeof from !== 'string' || typeof to !== 'string') return change;
  const [shortFrom, shortTo] = changedPart(from, to);
  return { field, from: shortFrom, to: shortTo };
}

function Value({ field, value }: { field: string; value: FieldValue }) {
  const words = useWords();
  if (fromWireName(field) === 'imageUrl' && typeof value === 'string') {
    return <Picture src={value} alt={words.say('history.image')} width={28} height={35} className={styles.picture} />;
  }
  return <bdi>{valueText(field, value, words)}</bdi>;
}
