import type { WireHouse, WireInvitation } from '@perfume/contract/houses';
import { type HouseRole, houseRoles } from '@perfume/domain/houses';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { ApiProblem, call } from '../../api/client.ts';
import { withProof } from '../../live/with-proof.ts';
import { Button } from '../../ui/button.tsx';
import { EmailField } from '../../ui/form/field.tsx';
import { SelectFilter } from '../../ui/form/filter-field.tsx';
import { notify } from '../../ui/toast.ts';
import { useWords } from '../../words/words.tsx';
import { checks } from '../identity/checks.ts';
import { FormError } from '../identity/form-parts.tsx';
import { useAuthForm } from '../identity/use-auth-form.ts';
import { houseProblemText } from './house-problem-text.ts';
import styles from './house-settings.module.css';
import { invitationsQuery, refetchHouse } from './houses-query.ts';

/** Invites people, and lists the invitations that nobody has used yet. For owners. */
export function HouseInvitations({ house }: { house: WireHouse }) {
  const words = useWords();
  const { say } = words;
  const { data = [], error, refetch } = useQuery(invitationsQuery(house.id));
  const list = useRef<HTMLUListElement>(null);

  async function withdraw({ id, email }: WireInvitation) {
    try {
      await call('DELETE /invitations/:id', { params: { id } });
      notify({ kind: 'success', id, text: say('house.withdrawn', { email }) });
    } catch (problem) {
      notify({ kind: 'error', id, text: `${say('house.notWithdrawn')} ${houseProblemText(problem, words)}` });
    }
    await refetchHouse();
    // The pressed button disappears with its invitation, so the list gets the focus.
    list.current?.focus();
  }

  return (
    <>
      <InviteForm house={house} />
      {error && (
        <div className={styles.failed} role="alert">
          <p>{say('house.invitations.failed')}</p>
          <Button onClick={() => void refetch()}>{say('retry')}</Button>
        </div>
      )}
      {data.length > 0 && (
        <div className={styles.choice}>
          <h3>{say('house.invitations')}</h3>
          <ul ref={list} tabIndex={-1} className={styles.list} aria-label={say('house.invitations')}>
            {data.map((invitation) => (
              <li key={invitation.id} className={styles.person}>
                <span className={styles.who}>
                  <span className={styles.name}>
                    <bdi>{invitation.email}</bdi>
                  </span>
                  <span className={styles.email}>
                    {say('house.invitation.until', {
                      role: say(`role.${invitation.role}`),
                      day: words.date(Date.parse(invitation.expiresAt)),
                    })}
                  </span>
                </span>
                <span className={styles.end}>
                  <Button
                    size="s"
                    aria-label={say('house.withdrawNamed', { email: invitation.email })}
                    onClick={() => void withdraw(invitation)}
                  >
                    {say('house.withdraw')}
                  </Button>
                </span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}

function InviteForm({ house }: { house: WireHouse }) {
  const words = useWords();
  const { say } = words;
  const [role, setRole] = useState<HouseRole>('keeper');
  const { form, field, submit, formError, showError } = useAuthForm({
    fields: { email: checks.email },
    send: async ({ email }): Promise<void> => {
      try {
        const body = { email: email.trim(), role };
        await withProof(() => call('POST /houses/:id/invitations', { params: { id: house.id }, body }));
      } catch (problem) {
        if (problem instanceof ApiProblem && problem.code === 'invalid_input') throw problem;
        return showError(houseProblemText(problem, words));
      }
      form.ref.current?.reset();
      notify({ kind: 'success', id: 'invited', text: say('house.invite.sent', { email: email.trim() }) });
      void refetchHouse();
    },
  });
  return (
    <form {...form} className={styles.form}>
      <h3>{say('house.invite')}</h3>
      <FormError error={formError} />
      <EmailField {...field('email')} label={say('house.invite.email')} autoComplete="off" />
      <div className={styles.choice}>
        <SelectFilter
          label={say('house.invite.role')}
          value={role}
          options={houseRoles.map((value) => ({ value, text: say(`role.${value}`) }))}
          onPick={(picked) => setRole(picked as HouseRole)}
        />
        <p className={styles.hint}>{say(`role.${role}.may`)}</p>
      </div>
      <Button {...submit}>{say('house.invite.send')}</Button>
    </form>
  );
}
