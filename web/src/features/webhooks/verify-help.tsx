import { serverPaths } from '../../paths.ts';
import { useWords } from '../../words/words.tsx';
import styles from './webhooks.module.css';

const LIBRARIES = 'standardwebhooks.com';
const SAMPLE = `import { Webhook } from 'standardwebhooks';

// body: the text of the request, before anything has parsed it
const event = new Webhook(secret).verify(body, {
  'webhook-id': headers['webhook-id'],
  'webhook-timestamp': headers['webhook-timestamp'],
  'webhook-signature': headers['webhook-signature'],
});`;

/** How a receiver checks that a request comes from here. */
export function VerifyHelp() {
  const { say } = useWords();
  return (
    <section className={styles.help} aria-labelledby="verify">
      <h2 id="verify">{say('webhooks.help.heading')}</h2>
      <p>{say('webhooks.help.text')}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard. */}
      <pre dir="ltr" className={styles.sample} tabIndex={0}>
        <code>{SAMPLE}</code>
      </pre>
      <p>{say('webhooks.help.rules')}</p>
      <p>
        {say('webhooks.help.more')} <bdi>{LIBRARIES}</bdi> ·{' '}
        <a href={serverPaths.apiReference}>{say('webhooks.help.reference')}</a>
      </p>
    </section>
  );
}
