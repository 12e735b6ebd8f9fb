import { useBoot } from '../../api/boot.ts';
import { useMediaQuery } from '../../ui/media-query.ts';
import { useWords, type Words } from '../../words/words.tsx';
import type { FloorMode } from './floor-mode.ts';
import { type JournalEntry, shownUnits, useJournal } from './journal.ts';
import { type EntryActions, JournalCard } from './journal-card.tsx';
import styles from './journal-list.module.css';

type JournalProps = { mode: FloorMode; actions: EntryActions; hasStart: boolean };

/**
 * What was just done, newest first. On a phone, entries that are done fold away under the newest one, so that the rows
 * below stay in their place; entries that need an answer stay open.
 */
export function JournalList({ mode, actions, hasStart }: JournalProps) {
  const words = useWords();
  const { say } = words;
  const { user } = useBoot();
  const wide = useMediaQuery('(min-width: 900px)');
  const [newest, ...others] = useJournal(user?.id ?? '');
  const isOpen = (entry: JournalEntry) => wide || entry.kind === 'refusal' || entry.kind === 'scanned';
  const open = others.filter(isOpen);
  const done = others.filter((entry) => !isOpen(entry));
  const card = (entry: JournalEntry) => (
    <li key={entry.key}>
      <JournalCard entry={entry} actions={actions} />
    </li>
  );
  return (
    <section className={styles.journal} aria-label={say('floor.journal')}>
      <p className="visually-hidden" role="status">
        {newest && announcement(newest, words)}
      </p>
      {newest === undefined && hasStart && <p className={styles.start}>{say(`floor.start.${mode}`)}</p>}
      {newest && <ul className={styles.newest}>{card(newest)}</ul>}
      {open.length > 0 && <ul className={styles.list}>{open.map(card)}</ul>}
      {done.length > 0 && (
        <details>
          <summary className={styles.summary}>{say('floor.earlier', { count: done.length })}</summary>
          <ul className={styles.list}>{done.map(card)}</ul>
        </details>
      )}
    </section>
  );
}

/** What screen readers say about the newest entry. Refusals and unknown codes are alerts of their own. */
function announcement(entry: JournalEntry, { say }: Words): string {
  if (entry.kind === 'counted') return say('floor.says.count', { name: entry.item.name, count: entry.counted });
  if (entry.kind !== 'booking') return '';
  const { mode, undone, item } = entry;
  return say(undone !== null ? 'floor.says.undone' : `floor.says.${mode}`, {
    name: item.name,
    units: shownUnits(entry),
  });
}
