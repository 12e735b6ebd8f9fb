import { ApiProblem, call } from '../../api/client.ts';
import { openOtherHouse } from '../../api/session.ts';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/form/field.tsx';
import { useWords } from '../../words/words.tsx';
import { checks } from '../identity/checks.ts';
import { FormError } from '../identity/form-parts.tsx';
import { useAuthForm } from '../identity/use-auth-form.ts';
import { houseProblemText } from './house-problem-text.ts';
import styles from './house-settings.module.css';

/** Creates another house and opens it. */
export function NewHouse() {
  const words = useWords();
  const { say } = words;
  const { form, field, submit, formError, showError } = useAuthForm({
    fields: { name: checks.name },
    send: async ({ name }): Promise<void> => {
      try {
        await call('POST /houses', { body: { name: name.trim() } });
      } catch (problem) {
        if (problem instanceof ApiProblem && problem.code === 'invalid_input') throw problem;
        return showError(houseProblemText(problem, words));
      }
      openOtherHouse(paths.adminHome);
    },
  });
  return (
    <form {...form} className={styles.form}>
      <h3>{say('house.create')}</h3>
      <p className={styles.hint}>{say('house.create.text')}</p>
      <FormError error={formError} />
      <TextField {...field('name')} label={say('house.name')} autoComplete="off" dir="auto" />
      <Button {...submit}>{say('house.create.submit')}</Button>
    </form>
  );
}
