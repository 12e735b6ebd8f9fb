import type { WireHouse, WireHouseEvent } from '@perfume/contract/houses';
import { type HouseRole, houseRoles } from '@perfume/domain/houses';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Button } from '../../ui/button.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { when } from '../../words/when.ts';
import { useWords, type Words } from '../../words/words.tsx';
import { personText } from '../history/person-name.tsx';
import styles from './house-settings.module.css';
import { houseEventsQuery } from './houses-query.ts';

/** Who changed the people, roles and settings of the house, newest first. */
export function HouseHistory({ house }: { house: WireHouse }) {
  const words = useWords();
  const { say } = words;
  const { data, error, isFetching, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    houseEventsQuery(house.id),
  );
  if (!data) {
    if (!error || isFetching) return <Skeleton width="min(24rem, 100%)" height="6rem" />;
    return (
      <div className={styles.failed} role="alert">
        <p>{say('house.history.failed')}</p>
        <Button onClick={() => void refetch()}>{say('retry')}</Button>
      </div>
    );
  }
  return (
    <>
      <ol className={styles.list} aria-label={say('house.history')}>
        {data.pages
          .flatMap(({ events }) => events)
          .map((event) => (
            <li key={event.id} className={styles.event}>
              <span>{eventText(event, words)}</span>
              <time dateTime={event.at}>{when(Date.parse(event.at), Date.now(), words)}</time>
            </li>
          ))}
      </ol>
      {hasNextPage && (
        <div>
          <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {say('house.history.more')}
          </Button>
        </div>
      )}
    </>
  );
}

function eventText(event: WireHouseEvent, words: Words): string {
  const { say } = words;
  const [by, person] = [personText(event.by, words), event.person ? personText(event.person, words) : ''];
  const read = (field: string) => {
    const { from, to } = event.changes.find((one) => one.field === field) ?? { from: null, to: null };
    return { from: shown(field, from), to: shown(field, to) };
  };
  const shown = (field: string, value: string | number | null) => {
    if (field === 'role' && isRole(value)) return say(`role.${value}`);
    return typeof value === 'number' ? words.number(value) : (value ?? '');
  };
  switch (event.kind) {
    case 'settings':
      return say('house.event.settings', { by, ...read('reorderPoint') });
    case 'renamed':
      return say('house.event.renamed', { by, ...read('name') });
    case 'invited':
      return say('house.event.invited', { by, email: read('email').to, role: read('role').to });
    case 'withdrawn':
      return say('house.event.withdrawn', { by, email: read('email').from });
    case 'joined':
      return say('house.event.joined', { person, role: read('role').to });
    case 'role':
      return say('house.event.role', { by, person, ...read('role') });
    case 'left':
      return say('house.event.left', { person });
    case 'removed':
      return say('house.event.removed', { by, person });
    case 'webhook_made':
    case 'webhook_changed':
    case 'webhook_deleted':
    case 'webhook_on':
    case 'webhook_off':
    case 'webhook_stopped':
      return say(`house.event.${event.kind}`, { by, ...read('url') });
    default:
      return say(`house.event.${event.kind}`, { by });
  }
}

function isRole(value: unknown): value is HouseRole {
  return houseRoles.includes(value as HouseRole);
}
