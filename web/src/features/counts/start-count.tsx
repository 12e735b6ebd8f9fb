import { type FormEvent, useState } from 'react';
import { ApiProblem } from '../../api/client.ts';
import { problemText } from '../../live/problem-text.ts';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/form/checkbox.tsx';
import { TextField } from '../../ui/form/field.tsx';
import { RadioGroup } from '../../ui/form/radio-group.tsx';
import { useNavigate, useSearchParams } from '../../ui/router.tsx';
import { notify } from '../../ui/toast.ts';
import { useWords } from '../../words/words.tsx';
import { startCount } from './counts-query.ts';
import styles from './start-count.module.css';

const scopes = ['everything', 'search', 'low', 'mine'] as const;
type Scope = (typeof scopes)[number];

/** The form that starts a session. The list of items links here with its search. */
export function StartCount() {
  const words = useWords();
  const { say } = words;
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const searched = params.get('q') ?? '';
  const [scope, setScope] = useState<Scope>(searched ? 'search' : params.get('stock') === 'low' ? 'low' : 'everything');
  const [name, setName] = useState(() => say('counts.name.default', { day: dayText(words.locale) }));
  const [q, setQ] = useState(searched);
  const [blind, setBlind] = useState(true);
  const [isMissing, setIsMissing] = useState(false);
  const [busy, setBusy] = useState(false);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    const isEmpty = scope === 'search' && q.trim() === '';
    setIsMissing(isEmpty);
    if (isEmpty) return;
    setBusy(true);
    try {
      const count = await startCount({
        name: name.trim() || say('counts.name.default', { day: dayText(words.locale) }),
        blind,
        ...(scope === 'search' && { q: q.trim() }),
        ...(scope === 'low' && { stock: 'low' }),
        ...(scope === 'mine' && { mine: true }),
      });
      navigate(paths.count(count.id));
    } catch (problem) {
      const isTooMany = problem instanceof ApiProblem && problem.code === 'too_many_counts';
      const why = isTooMany ? say('counts.tooMany') : problemText(problem, words);
      notify({ kind: 'error', id: 'counts', text: `${say('counts.notStarted')} ${why}` });
    }
    setBusy(false);
  }

  return (
    <form className={styles.form} noValidate onSubmit={submit}>
      <h2>{say('counts.new')}</h2>
      <RadioGroup
        label={say('counts.scope')}
        value={scope}
        options={scopes.map((value) => ({ value, text: say(`counts.scope.${value}`) }))}
        onChoose={setScope}
      />
      {scope === 'search' && (
        <TextField
          label={say('counts.scope.search.label')}
          hint={say('counts.scope.search.hint')}
          error={isMissing ? say('counts.scope.search.missing') : undefined}
          value={q}
          maxLength={200}
          autoComplete="off"
          onChange={({ target }) => setQ(target.value)}
        />
      )}
      {scope === 'low' && <p className={styles.hint}>{say('counts.scope.low.hint')}</p>}
      <TextField
        label={say('counts.name')}
        value={name}
        maxLength={200}
        autoComplete="off"
        onChange={({ target }) => setName(target.value)}
      />
      <div>
        <Checkbox label={say('counts.blind')} checked={blind} onChange={({ target }) => setBlind(target.checked)} />
        <p className={styles.hint}>{say('counts.blind.hint')}</p>
      </div>
      <Button type="submit" look="primary" busy={busy}>
        {say('counts.start')}
      </Button>
    </form>
  );
}

function dayText(locale: string): string {
  return new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long' }).format(Date.now());
}
