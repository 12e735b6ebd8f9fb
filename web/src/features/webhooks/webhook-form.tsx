import type { WireWebhook } from '@perfume/contract/webhooks';
import { checkWebhookUrl, WEBHOOK_URL_MAX, type WebhookEvent, webhookEvents } from '@perfume/domain/webhooks';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { ApiProblem } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Checkbox } from '../../ui/form/checkbox.tsx';
import { TextField } from '../../ui/form/field.tsx';
import { useWords } from '../../words/words.tsx';
import { urlErrorText, webhookProblemText } from './webhook-problem-text.ts';
import styles from './webhooks.module.css';

type Fields = { url: string; events: WebhookEvent[] };
type WebhookFormProps = {
  /** The webhook to change; null to add one. */
  start: WireWebhook | null;
  onSubmit: (fields: Fields) => Promise<void>;
  onClose: () => void;
};

/** The dialog with the address of a webhook and its events. */
export function WebhookForm({ start, onSubmit, onClose }: WebhookFormProps) {
  const { say } = useWords();
  return (
    <Dialog
      title={say(start ? 'webhooks.form.edit' : 'webhooks.form.new')}
      closeLabel={say('webhooks.form.close')}
      onClose={onClose}
    >
      <Form start={start} onSubmit={onSubmit} />
    </Dialog>
  );
}

function Form({ start, onSubmit }: Omit<WebhookFormProps, 'onClose'>) {
  const words = useWords();
  const { say } = words;
  const [url, setUrl] = useState(start?.url ?? '');
  const [events, setEvents] = useState<readonly WebhookEvent[]>(start?.events ?? ['stock.changed']);
  const [wrong, setWrong] = useState<{ url?: string | undefined; events?: string; all?: string }>({});
  const [busy, setBusy] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  // Otherwise the dialog would focus its close button.
  useEffect(() => field.current?.focus(), []);

  async function send(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    const checked = checkWebhookUrl(url);
    const faults = {
      ...(!checked.ok && { url: urlErrorText(checked.error.code, words) }),
      ...(events.length === 0 && { events: say('webhooks.form.noEvents') }),
    };
    setWrong(faults);
    if (!checked.ok) field.current?.focus();
    if (!checked.ok || events.length === 0) return;
    setBusy(true);
    try {
      await onSubmit({ url: checked.value, events: webhookEvents.filter((one) => events.includes(one)) });
    } catch (problem) {
      const code = problem instanceof ApiProblem ? problem.fieldCodes.url : undefined;
      setWrong(code ? { url: urlErrorText(code, words) } : { all: webhookProblemText(problem, words) });
      if (code) field.current?.focus();
      setBusy(false);
    }
  }

  return (
    <form className={styles.form} noValidate onSubmit={send}>
      {wrong.all && (
        <p role="alert" className={styles.error}>
          {wrong.all}
        </p>
      )}
      <TextField
        ref={field}
        label={say('webhooks.form.url')}
        hint={say('webhooks.form.url.hint')}
        type="url"
        value={url}
        maxLength={WEBHOOK_URL_MAX}
        autoComplete="off"
        spellCheck={false}
        dir="ltr"
        error={wrong.url}
        onChange={({ target }) => {
          setUrl(target.value);
          setWrong({});
        }}
      />
      <fieldset className={styles.events}>
        <legend>{say('webhooks.form.events')}</legend>
        {webhookEvents.map((event) => (
          <div key={event}>
            <Checkbox
              label={say(`webhooks.event.${event}`)}
              checked={events.includes(event)}
              aria-describedby={`about-${event}`}
              onChange={({ target }) => {
                setEvents(target.checked ? [...events, event] : events.filter((one) => one !== event));
                setWrong({});
              }}
            />
            <p id={`about-${event}`} className={styles.about}>
              {say(`webhooks.event.${event}.about`)} <code dir="ltr">{event}</code>
            </p>
          </div>
        ))}
        {wrong.events && (
          <p role="alert" className={styles.error}>
            {wrong.events}
          </p>
        )}
      </fieldset>
      <div className={styles.submit}>
        <Button type="submit" look="primary" busy={busy}>
          {say(start ? 'save' : 'webhooks.add')}
        </Button>
      </div>
    </form>
  );
}
