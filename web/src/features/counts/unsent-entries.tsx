import type { ReactNode } from 'react';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { Link } from '../../ui/link.tsx';
import { useWords } from '../../words/words.tsx';
import { signed } from '../ledger/signed.ts';
import { addEntries, type UnsentEntry } from './entry-outbox.ts';
import styles from './unsent-entries.module.css';

type UnsentEntriesProps = {
  entries: readonly UnsentEntry[];
  /** Why they were not sent, and what to do. */
  children: ReactNode;
  onDiscard: (entries: readonly UnsentEntry[]) => void;
};

/** What this person counted on this device and what is no longer sent, item by item. */
export function UnsentEntries({ entries: all, children, onDiscard }: UnsentEntriesProps) {
  const { say, number, locale } = useWords();
  const items = Map.groupBy(all, ({ itemId }) => itemId);
  if (items.size === 0) return null;
  return (
    <section className={styles.unsent} aria-labelledby="unsent">
      <h2 id="unsent">{say('counts.unsent')}</h2>
      <p>{children}</p>
      <ul>
        {[...items].map(([id, entries]) => {
          const name = entries[0]?.name ?? '';
          const units = addEntries(null, entries) ?? 0;
          const isTotal = entries.some((entry) => 'set' in entry);
          return (
            <li key={id}>
              <Link to={paths.countItem(id)}>
                <bdi>{name}</bdi>
              </Link>
              <span>
                {isTotal
                  ? say('counting.unsent.total', { units: number(units) })
                  : say('counting.unsent.added', { units: signed(units, locale) })}
              </span>
              <Button
                size="s"
                aria-label={say('counting.unsent.discardNamed', { name })}
                onClick={() => onDiscard(entries)}
              >
                {say('pending.discard')}
              </Button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
