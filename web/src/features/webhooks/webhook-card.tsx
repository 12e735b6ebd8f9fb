import type { WireWebhook } from '@perfume/contract/webhooks';
import { Ellipsis } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { Badge } from '../../ui/badge.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Menu, MenuAction, MenuLine } from '../../ui/menu.tsx';
import { notify } from '../../ui/toast.ts';
import { when } from '../../words/when.ts';
import { useWords, type Words } from '../../words/words.tsx';
import { DeliveryLog } from './delivery-log.tsx';
import { webhookProblemText } from './webhook-problem-text.ts';
import styles from './webhooks.module.css';
import { changeWebhook, deleteWebhook, replaceSecret, testWebhook } from './webhooks-query.ts';

type WebhookCardProps = {
  webhook: WireWebhook;
  onEdit: () => void;
  onSecret: (secret: string) => void;
  onDeleted: () => void;
};

/** One webhook: where it leads, whether that works, and what can be done with it. */
export function WebhookCard({ webhook, onEdit, onSecret, onDeleted }: WebhookCardProps) {
  const words = useWords();
  const { say, dir } = words;
  const { url, events, active, offReason, oldSecretUntil } = webhook;
  const host = new URL(url).host;
  const log = useId();
  const more = useRef<HTMLButtonElement>(null);
  const [isLogOpen, setLogOpen] = useState(false);
  const [asking, setAsking] = useState<'delete' | 'secret' | null>(null);
  const [busy, setBusy] = useState<'test' | 'on' | 'asked' | null>(null);

  /** Runs a request. Says why it failed, and returns whether it succeeded. */
  async function run(what: NonNullable<typeof busy>, work: () => Promise<void>): Promise<boolean> {
    setBusy(what);
    try {
      await work();
      return true;
    } catch (problem) {
      notify({ kind: 'error', id: 'webhooks', text: webhookProblemText(problem, words) });
      return false;
    } finally {
      setBusy(null);
    }
  }

  const ask = (question: NonNullable<typeof asking>) => {
    // The question gives the focus back to where it was, and the menu is gone by then.
    more.current?.focus();
    setAsking(question);
  };

  async function confirmed() {
    const isDeletion = asking === 'delete';
    const isDone = await run('asked', async () => {
      if (isDeletion) await deleteWebhook(webhook);
      else onSecret(await replaceSecret(webhook));
    });
    setAsking(null);
    if (!isDone || !isDeletion) return;
    notify({ kind: 'success', id: 'webhooks', text: say('webhooks.deleted', { host }) });
    onDeleted();
  }

  async function test() {
    if (await run('test', () => testWebhook(webhook))) setLogOpen(true);
  }

  return (
    <li className={styles.webhook}>
      <div className={styles.title}>
        <h2 className={styles.url}>
          <bdi dir="ltr">{url}</bdi>
        </h2>
        <Health webhook={webhook} />
      </div>
      <p className={styles.facts}>
        <span>{events.map((event) => say(`webhooks.event.${event}`)).join(say('webhooks.comma'))}</span>
      </p>
      <p className={styles.facts}>
        {factsOf(webhook, words).map((fact) => (
          <span key={fact}>{fact}</span>
        ))}
      </p>
      {!active && offReason && <p className={styles.why}>{say(`webhooks.off.${offReason}`)}</p>}
      {oldSecretUntil && Date.parse(oldSecretUntil) > Date.now() && (
        <p className={styles.hint}>
          {say('webhooks.oldSecret', { until: when(Date.parse(oldSecretUntil), Date.now(), words) })}
        </p>
      )}
      <div className={styles.buttons}>
        {active ? (
          <Button
            size="s"
            busy={busy === 'test'}
            onClick={() => void test()}
            aria-label={say('webhooks.testNamed', { host })}
          >
            {say('webhooks.test')}
          </Button>
        ) : (
          <Button
            size="s"
            look="primary"
            busy={busy === 'on'}
            onClick={() => void run('on', () => changeWebhook(webhook, { active: true }))}
            aria-label={say('webhooks.switchOnNamed', { host })}
          >
            {say('webhooks.switchOn')}
          </Button>
        )}
        <Button
          size="s"
          aria-expanded={isLogOpen}
          aria-controls={log}
          aria-label={say('webhooks.logNamed', { host })}
          onClick={() => setLogOpen(!isLogOpen)}
        >
          {say('webhooks.log')}
        </Button>
        <Menu
          dir={dir}
          trigger={
            <IconButton ref={more} label={say('webhooks.more', { host })}>
              <Icon of={Ellipsis} size={18} />
            </IconButton>
          }
        >
          <MenuAction
            onSelect={() => {
              more.current?.focus();
              onEdit();
            }}
          >
            {say('webhooks.edit')}
          </MenuAction>
          <MenuAction onSelect={() => ask('secret')}>{say('webhooks.rotate')}</MenuAction>
          {active && (
            <MenuAction onSelect={() => void run('on', () => changeWebhook(webhook, { active: false }))}>
              {say('webhooks.switchOff')}
            </MenuAction>
          )}
          <MenuLine />
          <MenuAction onSelect={() => ask('delete')}>{say('webhooks.delete')}</MenuAction>
        </Menu>
      </div>
      <div id={log}>{isLogOpen && <DeliveryLog webhook={webhook} host={host} />}</div>
      {asking && (
        <Confirm
          title={say(`webhooks.${asking}.ask`, { host })}
          text={say(`webhooks.${asking}.askText`)}
          confirmLabel={say(asking === 'delete' ? 'webhooks.delete' : 'webhooks.rotate')}
          cancelLabel={say('delete.cancel')}
          busy={busy === 'asked'}
          onConfirm={() => void confirmed()}
          onCancel={() => setAsking(null)}
        />
      )}
    </li>
  );
}

function Health({ webhook: { active, failingSince, deliveredAt } }: { webhook: WireWebhook }) {
  const { say } = useWords();
  if (!active) return <Badge tone="plain">{say('webhooks.health.off')}</Badge>;
  if (failingSince) return <Badge tone="bad">{say('webhooks.health.failing')}</Badge>;
  return (
    <Badge tone={deliveredAt ? 'good' : 'plain'}>
      {say(deliveredAt ? 'webhooks.health.good' : 'webhooks.health.new')}
    </Badge>
  );
}

function factsOf({ deliveredAt, failingSince, waiting }: WireWebhook, words: Words): string[] {
  const { say } = words;
  const ago = (at: string) => when(Date.parse(at), Date.now(), words);
  return [
    deliveredAt ? say('webhooks.deliveredAt', { when: ago(deliveredAt) }) : say('webhooks.neverDelivered'),
    ...(failingSince ? [say('webhooks.failingSince', { when: ago(failingSince) })] : []),
    ...(waiting > 0 ? [say('webhooks.waiting', { count: waiting })] : []),
  ];
}
