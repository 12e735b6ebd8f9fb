import { call } from '../../api/client.ts';
import { serverPaths } from '../../paths.ts';
import { notify } from '../../ui/toast.ts';
import type { Words } from '../../words/words.tsx';

/** Requests the email with the password reset link, and confirms it with a toast. */
export async function requestReset(email: string, demo: boolean, { say }: Pick<Words, 'say'>): Promise<void> {
  await call('POST /api/auth/request-password-reset', { body: { email: email.trim() } });
  notify({
    kind: 'success',
    id: 'resetSent',
    text: say('forgot.sent'),
    ...(demo && { action: { text: say('identity.outbox'), run: () => void open(serverPaths.outbox) } }),
  });
}
