import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { problemText } from '../../live/problem-text.ts';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Link } from '../../ui/link.tsx';
import { Popover } from '../../ui/popover.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { notify } from '../../ui/toast.ts';
import { useWords } from '../../words/words.tsx';
import { AlertList } from './alert-list.tsx';
import styles from './alert-panel.module.css';
import { markAllAlertsSeen, newestAlerts } from './alerts-query.ts';
import { BellButton } from './bell-button.tsx';

/** The popover with the latest alerts. A click on the bell mounts it, so it starts open. */
export function AlertPanel() {
  const { say } = useWords();
  const [open, setOpen] = useState(true);
  const close = () => setOpen(false);
  return (
    <Popover trigger={<BellButton />} label={say('alerts.title')} open={open} onOpenChange={setOpen}>
      <Content close={close} />
    </Popover>
  );
}

function Content({ close }: { close: () => void }) {
  const words = useWords();
  const { say } = words;
  const { data, error, isFetching, refetch } = useQuery({ ...newestAlerts, refetchOnMount: 'always' });
  const [status, setStatus] = useState('');
  const heading = useRef<HTMLHeadingElement>(null);

  async function seeAll() {
    // The button disappears once everything is seen, so the keyboard focus moves to the heading.
    heading.current?.focus();
    try {
      await markAllAlertsSeen();
      setStatus(say('alerts.allSeen'));
    } catch (problem) {
      notify({ kind: 'error', id: 'alerts-seen', text: problemText(problem, words) });
    }
  }

  return (
    <>
      <div className={styles.head}>
        <h2 ref={heading} tabIndex={-1}>
          {say('alerts.title')}
        </h2>
        {data && data.unseen > 0 && (
          <Button look="plain" size="s" onClick={seeAll}>
            {say('alerts.seeAll')}
          </Button>
        )}
        <p role="status" className="visually-hidden">
          {status}
        </p>
      </div>
      <div className={styles.body}>
        {data && data.alerts.length > 0 && <AlertList page={data} onFollow={close} />}
        {data && data.alerts.length === 0 && <EmptyState text={say('alerts.empty')} />}
        {!data && error && !isFetching && (
          <EmptyState text={say('alerts.failed')} alert>
            <Button onClick={() => void refetch()}>{say('retry')}</Button>
          </EmptyState>
        )}
        {!data && (!error || isFetching) && (
          <p className={styles.loading}>
            <Spinner label={say('Loading...')} />
          </p>
        )}
      </div>
      <div className={styles.foot}>
        <Link to={`${paths.manageInventory}?stock=low`} onClick={close}>
          {say('alerts.viewLow')}
        </Link>
        <Link to={paths.settings} onClick={close}>
          {say('alerts.settings')}
        </Link>
      </div>
    </>
  );
}
