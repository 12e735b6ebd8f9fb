import { dayOf, dayText } from '@perfume/domain/insights';
import { useRef, useState } from 'react';
import { ApiProblem } from '../../api/client.ts';
import { problemText } from '../../live/problem-text.ts';
import { withProof } from '../../live/with-proof.ts';
import { Button } from '../../ui/button.tsx';
import { copyText } from '../../ui/copy-text.ts';
import { TextField } from '../../ui/form/field.tsx';
import { RadioGroup } from '../../ui/form/radio-group.tsx';
import { notify } from '../../ui/toast.ts';
import { useWords } from '../../words/words.tsx';
import { checks } from '../identity/checks.ts';
import { FormError } from '../identity/form-parts.tsx';
import { useAuthForm } from '../identity/use-auth-form.ts';
import styles from './api-key-settings.module.css';
import { createApiKey } from './api-keys-query.ts';

const scopes = ['read', 'stock', 'full'] as const;
/** After how many days a key expires. */
const lifetimes = { month: 30, quarter: 90, year: 365, never: null } as const;
type Lifetime = keyof typeof lifetimes;

/** A form that makes a key. Then it shows the new key until the user is done: it cannot be read again. */
export function NewApiKey() {
  const words = useWords();
  const { say } = words;
  const [made, setMade] = useState<string | null>(null);
  const [scope, setScope] = useState<(typeof scopes)[number]>('read');
  const [lifetime, setLifetime] = useState<Lifetime>('quarter');
  const { form, field, submit, formError, showError } = useAuthForm({
    fields: { name: checks.name },
    send: async ({ name }) => {
      const days = lifetimes[lifetime];
      const expiry = days === null ? {} : { expiresOn: dayText(dayOf(Date.now()) + days) };
      try {
        setMade(await withProof(() => createApiKey({ name, scope, ...expiry })));
      } catch (problem) {
        const code = problem instanceof ApiProblem ? problem.code : null;
        if (code === 'too_many_keys') showError(say('settings.keys.tooMany'));
        else if (code === 'proof_needed') showError(problemText(problem, words));
        else throw problem;
      }
    },
  });
  if (made !== null) return <MadeKey apiKey={made} onDone={() => setMade(null)} />;
  return (
    <form {...form} className={styles.form}>
      <h3>{say('settings.keys.new')}</h3>
      <FormError error={formError} />
      <TextField
        {...field('name')}
        label={say('settings.keys.name')}
        hint={say('settings.keys.name.hint')}
        autoComplete="off"
      />
      <div className={styles.choice}>
        <RadioGroup
          label={say('settings.keys.scope')}
          value={scope}
          options={scopes.map((value) => ({ value, text: say(`settings.keys.scope.${value}`) }))}
          onChoose={setScope}
        />
        <p className={styles.hint}>{say(`settings.keys.scope.${scope}.hint`)}</p>
      </div>
      <div className={styles.choice}>
        <RadioGroup
          label={say('settings.keys.lifetime')}
          value={lifetime}
          options={(Object.keys(lifetimes) as Lifetime[]).map((value) => ({
            value,
            text: say(`settings.keys.lifetime.${value}`),
          }))}
          onChoose={setLifetime}
        />
        {lifetime === 'never' && <p className={styles.hint}>{say('settings.keys.lifetime.never.hint')}</p>}
      </div>
      <Button {...submit}>{say('settings.keys.make')}</Button>
    </form>
  );
}

function MadeKey({ apiKey, onDone }: { apiKey: string; onDone: () => void }) {
  const { say } = useWords();
  const input = useRef<HTMLInputElement>(null);
  const example = `curl -H "Authorization: Bearer ${apiKey}" "${location.origin}/all-inventory-items?limit=5"`;

  function copy() {
    if (!input.current) return;
    const copied = copyText(input.current);
    notify({
      kind: copied ? 'success' : 'error',
      id: 'apiKeys',
      text: say(copied ? 'settings.keys.copied' : 'settings.keys.notCopied'),
    });
  }

  return (
    <div className={styles.made}>
      <h3>{say('settings.keys.made')}</h3>
      <p role="status">{say('settings.keys.made.text')}</p>
      <TextField
        ref={input}
        label={say('settings.keys.key')}
        value={apiKey}
        readOnly
        // The pressed button is gone, and this is what it made.
        autoFocus
        dir="ltr"
        autoComplete="off"
        spellCheck={false}
      />
      <div className={styles.buttons}>
        <Button look="primary" onClick={copy}>
          {say('settings.keys.copy')}
        </Button>
        <Button onClick={onDone}>{say('settings.keys.done')}</Button>
      </div>
      <p>{say('settings.keys.example')}</p>
      <pre dir="ltr" className={styles.example}>
        <code>{example}</code>
      </pre>
    </div>
  );
}
