import type { WireWebhook } from '@perfume/contract/webhooks';
import { MAX_WEBHOOKS } from '@perfume/domain/webhooks';
import { useQuery } from '@tanstack/react-query';
import { ArrowLeft } from 'lucide-react';
import { useRef, useState } from 'react';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Link } from '../../ui/link.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useWords } from '../../words/words.tsx';
import { MadeSecret } from './made-secret.tsx';
import { VerifyHelp } from './verify-help.tsx';
import { WebhookCard } from './webhook-card.tsx';
import { WebhookForm } from './webhook-form.tsx';
import styles from './webhooks.module.css';
import { changeWebhook, createWebhook, webhooksQuery } from './webhooks-query.ts';

/** The page at /dashboard/settings/webhooks: where events are sent to, and what became of each. */
export function WebhooksPage() {
  const { say } = useWords();
  const { data, error, isFetching, refetch } = useQuery(webhooksQuery);
  const page = useRef<HTMLElement>(null);
  const [editing, setEditing] = useState<WireWebhook | 'new' | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const add = (
    <Button look="primary" onClick={() => setEditing('new')}>
      {say('webhooks.add')}
    </Button>
  );

  return (
    <section ref={page} className={styles.page} aria-labelledby="webhooks" tabIndex={-1}>
      <header className={styles.head}>
        <Link to={paths.settings} className={styles.back}>
          <Icon of={ArrowLeft} size={16} flips />
          {say('sidebar.settings')}
        </Link>
        <h1 id="webhooks">{say('webhooks.heading')}</h1>
        <p className={styles.lead}>{say('webhooks.lead')}</p>
      </header>
      {secret !== null && <MadeSecret secret={secret} onDone={() => setSecret(null)} />}
      {!data && (!error || isFetching) && <Skeleton width="100%" height="10rem" />}
      {!data && error && !isFetching && (
        <EmptyState alert text={say('webhooks.failed')}>
          <Button onClick={() => void refetch()}>{say('retry')}</Button>
        </EmptyState>
      )}
      {data?.length === 0 && <EmptyState text={say('webhooks.empty')}>{add}</EmptyState>}
      {data && data.length > 0 && (
        <>
          <ul className={styles.list} aria-label={say('webhooks.heading')}>
            {data.map((webhook) => (
              <WebhookCard
                key={webhook.id}
                webhook={webhook}
                onEdit={() => setEditing(webhook)}
                onSecret={setSecret}
                // The pressed button disappears with its webhook, so the page gets the focus.
                onDeleted={() => page.current?.focus({ preventScroll: true })}
              />
            ))}
          </ul>
          {data.length < MAX_WEBHOOKS ? (
            <div>{add}</div>
          ) : (
            <p className={styles.hint}>{say('webhooks.problem.tooMany')}</p>
          )}
        </>
      )}
      <VerifyHelp />
      {editing !== null && (
        <WebhookForm
          start={editing === 'new' ? null : editing}
          onSubmit={async (fields) => {
            if (editing === 'new') setSecret(await createWebhook(fields));
            else await changeWebhook(editing, fields);
            setEditing(null);
          }}
          onClose={() => setEditing(null)}
        />
      )}
    </section>
  );
}
