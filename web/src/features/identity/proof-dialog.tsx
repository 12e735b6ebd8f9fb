import { useBoot } from '../../api/boot.ts';
import { ApiProblem, call } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useWords } from '../../words/words.tsx';
import { checks } from './checks.ts';
import { FormError } from './form-parts.tsx';
import { PasswordField } from './password-field.tsx';
import styles from './proof-dialog.module.css';
import { SocialButtons } from './social-buttons.tsx';
import { useAuthForm } from './use-auth-form.ts';

/**
 * Asks the user to prove who they are, in the ways that they have. A provider leads away from the page: a new login is
 * a proof, and the user comes back to the same page.
 */
export function ProofDialog({ answer }: { answer: (isProven: boolean) => void }) {
  const { say } = useWords();
  const { user } = useBoot();
  const { form, field, submit, formError, showError, setErrors, focus } = useAuthForm({
    fields: { password: checks.password },
    send: async (body) => {
      try {
        await call('POST /api/auth/prove', { body });
        answer(true);
      } catch (problem) {
        if (!(problem instanceof ApiProblem) || problem.code !== 'wrong_password') throw problem;
        setErrors({ password: say('proof.wrongPassword') });
        focus('password');
      }
    },
  });
  const ways = user?.providers ?? [];
  return (
    <Dialog
      title={say('proof.heading')}
      description={say('proof.text')}
      closeLabel={say('dialog.close')}
      onClose={() => answer(false)}
    >
      <div className={styles.ways}>
        <FormError error={formError} />
        {ways.includes('password') && (
          <form {...form} className={styles.form}>
            <input hidden type="text" name="username" autoComplete="username" value={user?.email ?? ''} readOnly />
            <PasswordField {...field('password')} label={say('identity.password')} autoComplete="current-password" />
            <Button {...submit} look="primary">
              {say('proof.submit')}
            </Button>
          </form>
        )}
        <SocialButtons
          only={ways}
          page="/login"
          returnTo={`${location.pathname}${location.search}`}
          onError={showError}
        />
      </div>
    </Dialog>
  );
}
