import { countReasons } from '@perfume/domain/ledger';
import { useQuery } from '@tanstack/react-query';
import { FilterField, SelectFilter } from '../../ui/form/filter-field.tsx';
import { useSyncedText } from '../../ui/form/use-synced-text.ts';
import { useWords } from '../../words/words.tsx';
import styles from './history-filter-bar.module.css';
import { dayOf, type HistoryFilters, offeredKinds } from './history-filters.ts';
import { HistoryItemFilter } from './history-item-filter.tsx';
import { peopleQuery } from './history-query.ts';
import { shortTime } from './history-time.tsx';
import { personText } from './person-name.tsx';

type FiltersProps = { filters: HistoryFilters; setFilters: (change: Partial<HistoryFilters>) => void };

/** The filters for kind, person, item and dates. They are stored in the URL. */
export function HistoryFilterBar({ filters, setFilters }: FiltersProps) {
  const { say } = useWords();
  return (
    <search className={styles.filters} aria-label={say('history.filters')}>
      <KindFilter filters={filters} onPick={setFilters} />
      <PersonFilter by={filters.by} onPick={(by) => setFilters({ by })} />
      <HistoryItemFilter id={filters.item} onPick={(item) => setFilters({ item })} />
      <DayFilter
        label={say('history.from')}
        day={filters.from}
        max={filters.to}
        onPick={(from) => setFilters({ from })}
      />
      <DayFilter label={say('history.to')} day={filters.to} min={filters.from} onPick={(to) => setFilters({ to })} />
      <Renames by={filters.by} />
    </search>
  );
}

export type Kinds = Pick<HistoryFilters, 'kind' | 'reason'>;
type KindProps = { filters: Kinds; onPick: (kinds: Kinds) => void };

/** The filter for the kind of an entry. Corrections are also offered by their reason. */
export function KindFilter({ filters, onPick }: KindProps) {
  const { say } = useWords();
  const kind = say('history.kind.correction');
  const choices: (Kinds & { text: string })[] = [
    { kind: null, reason: null, text: say('history.kinds.all') },
    ...offeredKinds.map((one) => ({ kind: one, reason: null, text: say(`history.kind.${one}`) })),
    ...countReasons.map((reason) => ({
      kind: 'correction' as const,
      reason,
      text: say('history.kindForReason', { kind, reason: say(`reason.${reason}`) }),
    })),
  ];
  return (
    <SelectFilter
      label={say('history.kinds')}
      value={optionValue(filters)}
      options={choices.map((choice) => ({ value: optionValue(choice), text: choice.text }))}
      onPick={(value) => {
        const { kind = null, reason = null } = choices.find((choice) => optionValue(choice) === value) ?? {};
        onPick({ kind, reason });
      }}
    />
  );
}

function optionValue({ kind, reason }: Kinds): string {
  return reason === null ? (kind ?? '') : `${kind} ${reason}`;
}

function PersonFilter({ by, onPick }: { by: string | null; onPick: (by: string | null) => void }) {
  const words = useWords();
  const { say } = words;
  const { data: people = [] } = useQuery(peopleQuery);
  const options = [
    { value: '', text: say('history.people.all') },
    ...people.map((person) => ({ value: person.id, text: personText(person, words) })),
  ];
  // The URL may name a person who is not in the list, or not yet, while the list loads. '…' stands for the name.
  if (by !== null && !people.some(({ id }) => id === by)) options.push({ value: by, text: '…' });
  return (
    <SelectFilter
      label={say('history.people')}
      value={by ?? ''}
      options={options}
      onPick={(value) => onPick(value === '' ? null : value)}
    />
  );
}

/** The earlier names of the chosen person: entries show the name at their time. */
function Renames({ by }: { by: string | null }) {
  const words = useWords();
  const { data: people = [] } = useQuery(peopleQuery);
  const person = people.find(({ id }) => id === by);
  if (!person || person.earlierNames.length === 0) return null;
  return (
    <ul className={styles.renames}>
      {person.earlierNames.map(({ name, until }) => (
        <li key={until}>
          {words.say('history.renamed', {
            name: personText(person, words),
            before: name,
            when: shortTime(until, words.locale),
          })}
        </li>
      ))}
    </ul>
  );
}

type DayProps = {
  label: string;
  day: string | null;
  min?: string | null;
  max?: string | null;
  onPick: (day: string | null) => void;
};

function DayFilter({ label, day, min, max, onPick }: DayProps) {
  const [typed, setTyped] = useSyncedText(day ?? '');
  return (
    <FilterField label={label}>
      {(control) => (
        <input
          {...control}
          type="date"
          value={typed}
          min={min ?? undefined}
          max={max ?? undefined}
          onChange={({ target: { value } }) => {
            // While 2026 is being typed, the year reads 2, then 20. Such a date is kept in the field but not applied.
            setTyped(value);
            if (value === '' || dayOf(value)) onPick(dayOf(value));
          }}
        />
      )}
    </FilterField>
  );
}
