import { deliveryStates, type WireDelivery, type WireWebhook } from '@perfume/contract/webhooks';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { paths } from '../../paths.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { RadioGroup } from '../../ui/form/radio-group.tsx';
import { Link } from '../../ui/link.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { notify } from '../../ui/toast.ts';
import { when } from '../../words/when.ts';
import { useWords, type Words } from '../../words/words.tsx';
import { webhookProblemText } from './webhook-problem-text.ts';
import styles from './webhooks.module.css';
import { deliveriesQuery, replayDelivery, type State } from './webhooks-query.ts';

const tones: Record<State, Tone> = { waiting: 'warn', delivered: 'good', failed: 'bad' };

/** What was sent to a webhook and what waits, newest first. */
export function DeliveryLog({ webhook, host }: { webhook: WireWebhook; host: string }) {
  const { say } = useWords();
  const [shown, setShown] = useState<State | 'all'>('all');
  const state = shown === 'all' ? null : shown;
  const { data, error, isFetching, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    deliveriesQuery(webhook.id, state),
  );
  const deliveries = data?.pages.flatMap((page) => page.deliveries);
  return (
    <section className={styles.log} aria-label={say('webhooks.logNamed', { host })}>
      <RadioGroup
        label={say('webhooks.log.show')}
        value={shown}
        options={(['all', ...deliveryStates] as const).map((value) => ({ value, text: say(`webhooks.log.${value}`) }))}
        onChoose={setShown}
      />
      {!deliveries && (!error || isFetching) && <Skeleton width="100%" height="6rem" />}
      {!deliveries && error && !isFetching && (
        <div className={styles.failed} role="alert">
          <p>{say('webhooks.log.notLoaded')}</p>
          <Button onClick={() => void refetch()}>{say('retry')}</Button>
        </div>
      )}
      {deliveries?.length === 0 && <p className={styles.hint}>{say('webhooks.log.empty')}</p>}
      {deliveries && deliveries.length > 0 && (
        <ol className={styles.deliveries} aria-label={say('webhooks.logNamed', { host })}>
          {deliveries.map((delivery) => (
            <DeliveryRow key={delivery.id} webhook={webhook} delivery={delivery} />
          ))}
        </ol>
      )}
      {hasNextPage && (
        <div>
          <Button size="s" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {say('webhooks.log.more')}
          </Button>
        </div>
      )}
    </section>
  );
}

function DeliveryRow({ webhook, delivery }: { webhook: WireWebhook; delivery: WireDelivery }) {
  const words = useWords();
  const { say } = words;
  const { type, itemId, state, at } = delivery;
  const [busy, setBusy] = useState(false);
  const name = say(`webhooks.event.${type}`);

  async function replay() {
    setBusy(true);
    try {
      await replayDelivery(webhook, delivery);
    } catch (problem) {
      notify({ kind: 'error', id: 'webhooks', text: webhookProblemText(problem, words) });
    }
    setBusy(false);
  }

  return (
    <li className={styles.delivery}>
      <span className={styles.what}>
        {itemId ? <Link to={paths.item(itemId)}>{name}</Link> : name}
        <time dateTime={at}>{when(Date.parse(at), Date.now(), words)}</time>
      </span>
      <Badge tone={tones[state]}>{say(`webhooks.log.${state}`)}</Badge>
      <span className={styles.outcome}>{outcomeOf(delivery, words)}</span>
      {state !== 'waiting' && webhook.active && (
        <Button
          size="s"
          busy={busy}
          aria-label={say('webhooks.replayNamed', { event: name })}
          onClick={() => void replay()}
        >
          {say('webhooks.replay')}
        </Button>
      )}
    </li>
  );
}

function outcomeOf({ state, attempts, status, reason, nextAt }: WireDelivery, words: Words): string {
  const { say } = words;
  const sentences = [
    reason
      ? say(`webhooks.reason.${reason}`, { status: String(status) })
      : status
        ? say('webhooks.status', { status: String(status) })
        : '',
    attempts > 1 ? say('webhooks.attempts', { count: attempts }) : '',
    state === 'waiting' && attempts > 0 && nextAt
      ? say('webhooks.nextAt', { time: when(Date.parse(nextAt), Date.now(), words) })
      : '',
    state === 'waiting' && !nextAt ? say('webhooks.inLine') : '',
  ];
  return sentences.filter(Boolean).join(' ');
}
