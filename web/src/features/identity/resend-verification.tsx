import { useState } from 'react';
import { ApiProblem, call } from '../../api/client.ts';
import { useSession } from '../../live/session-provider.tsx';
import { Button } from '../../ui/button.tsx';
import { notify } from '../../ui/toast.ts';
import { useWords } from '../../words/words.tsx';
import { authErrorText } from './auth-error-text.ts';
import { FormError } from './form-parts.tsx';
import type { FormMessage } from './use-auth-form.ts';

/** Sends another verification email to the logged-in user. Its link leads to `returnTo`. */
export function ResendVerification({ returnTo }: { returnTo: string }) {
  const words = useWords();
  const { say } = words;
  const { refreshSession } = useSession();
  const [busy, setBusy] = useState(false);
  const [formError, setFormError] = useState<FormMessage | null>(null);

  async function resend() {
    setBusy(true);
    setFormError(null);
    try {
      await call('POST /api/auth/send-verification-email', { body: { returnTo } });
      notify({ kind: 'success', id: 'verifySent', text: say('gate.sent') });
    } catch (problem) {
      if (problem instanceof ApiProblem && (problem.code === 'already_verified' || problem.status === 401)) {
        await refreshSession();
        return;
      }
      notify({ kind: 'error', id: 'verifyFailed', text: say('gate.failed') });
      setFormError((before) => ({ text: authErrorText(problem, words), count: (before?.count ?? 0) + 1 }));
    } finally {
      setBusy(false);
    }
  }

  return (
    <>
      <FormError error={formError} />
      <Button look="primary" busy={busy} onClick={resend}>
        {say('gate.resend')}
      </Button>
    </>
  );
}
