import { useEffect, useRef } from 'react';
import { Button } from '../../ui/button.tsx';
import { copyText } from '../../ui/copy-text.ts';
import { TextField } from '../../ui/form/field.tsx';
import { notify } from '../../ui/toast.ts';
import { useWords } from '../../words/words.tsx';
import styles from './webhooks.module.css';

/** Shows a new secret until the user is done: it cannot be read again. */
export function MadeSecret({ secret, onDone }: { secret: string; onDone: () => void }) {
  const { say } = useWords();
  const input = useRef<HTMLInputElement>(null);
  // The form that made it gives the focus back to its button; this is what the user needs now.
  useEffect(() => {
    const timer = setTimeout(() => input.current?.focus());
    return () => clearTimeout(timer);
  }, []);

  function copy() {
    if (!input.current) return;
    const copied = copyText(input.current);
    const text = say(copied ? 'webhooks.secret.copied' : 'webhooks.secret.notCopied');
    notify({ kind: copied ? 'success' : 'error', id: 'webhooks', text });
  }

  return (
    <section className={styles.made} aria-labelledby="made-secret">
      <h2 id="made-secret">{say('webhooks.secret.heading')}</h2>
      <p role="status">{say('webhooks.secret.text')}</p>
      <TextField
        ref={input}
        label={say('webhooks.secret')}
        value={secret}
        readOnly
        dir="ltr"
        autoComplete="off"
        spellCheck={false}
      />
      <div className={styles.buttons}>
        <Button look="primary" onClick={copy}>
          {say('webhooks.secret.copy')}
        </Button>
        <Button onClick={onDone}>{say('webhooks.secret.done')}</Button>
      </div>
    </section>
  );
}
