import type { WireAlert } from '@perfume/contract/alerts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { paths } from '../../paths.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Link } from '../../ui/link.tsx';
import { when } from '../../words/when.ts';
import { useWords } from '../../words/words.tsx';
import styles from './alert-list.module.css';
import { type AlertPage, earlierAlerts } from './alerts-query.ts';

type AlertListProps = { page: AlertPage; onFollow: () => void };

export function AlertList({ page, onFollow }: AlertListProps) {
  const { say } = useWords();
  return (
    <>
      <ol className={styles.list} aria-label={say('alerts.list')}>
        {page.alerts.map((alert) => (
          <Alert key={alert.id} alert={alert} onFollow={onFollow} />
        ))}
      </ol>
      {page.next !== null && <Earlier cursor={page.next} onFollow={onFollow} />}
    </>
  );
}

const tones: Record<WireAlert['kind'], Tone> = { low: 'warn', out: 'bad', recovered: 'good' };

function Alert({ alert, onFollow }: { alert: WireAlert; onFollow: () => void }) {
  const words = useWords();
  const { say } = words;
  const { kind, quantity: count, itemName, itemId, at, seen } = alert;
  return (
    <li className={styles.alert}>
      {!seen && (
        <span className={styles.new}>
          <span className="visually-hidden">{say('alerts.new')}</span>
        </span>
      )}
      <Link to={paths.item(itemId)} onClick={onFollow} className={styles.name}>
        <bdi>{itemName}</bdi>
      </Link>
      <time dateTime={at} className={styles.time}>
        {when(Date.parse(at), Date.now(), words)}
      </time>
      <p className={styles.what}>
        <Badge tone={tones[kind]}>{say(`alerts.${kind}`)}</Badge>
        {kind === 'low' && <span>{say('alerts.left', { count })}</span>}
        {kind === 'recovered' && <span>{say('alerts.onHand', { count })}</span>}
      </p>
    </li>
  );
}

/** Shows a button that loads the next page of older alerts, then those alerts. */
function Earlier({ cursor, onFollow }: { cursor: string; onFollow: () => void }) {
  const { say } = useWords();
  const [wanted, setWanted] = useState(false);
  // A new alert shifts the pages, so all cursors change. The older alerts stay on screen while they are refetched.
  const { data, isFetching, refetch } = useQuery({
    ...earlierAlerts(cursor),
    enabled: wanted,
    placeholderData: keepPreviousData,
  });
  if (data) return <AlertList page={data} onFollow={onFollow} />;
  const show = () => (wanted ? void refetch() : setWanted(true));
  return (
    <p className={styles.earlier}>
      <Button look="plain" size="s" busy={isFetching} onClick={show}>
        {say('alerts.earlier')}
      </Button>
    </p>
  );
}
