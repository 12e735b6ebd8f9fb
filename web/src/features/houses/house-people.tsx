import type { WireHouse, WireMember } from '@perfume/contract/houses';
import { type HouseRole, houseRoles } from '@perfume/domain/houses';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useBoot } from '../../api/boot.ts';
import { call } from '../../api/client.ts';
import { useSession } from '../../live/session-provider.tsx';
import { withProof } from '../../live/with-proof.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { SelectFilter } from '../../ui/form/filter-field.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { notify } from '../../ui/toast.ts';
import { useWords } from '../../words/words.tsx';
import { houseProblemText } from './house-problem-text.ts';
import styles from './house-settings.module.css';
import { membersQuery, refetchHouse } from './houses-query.ts';

type Named = Pick<WireMember, 'userId' | 'name' | 'role'>;

/** The people of a house. Owners change roles and remove people; everybody can leave. */
export function HousePeople({ house }: { house: WireHouse }) {
  const words = useWords();
  const { say } = words;
  const { user } = useBoot();
  const { refreshSession } = useSession();
  const { data, error, isFetching, refetch } = useQuery(membersQuery(house.id));
  const list = useRef<HTMLUListElement>(null);
  const [asking, setAsking] = useState<WireMember | null>(null);
  const [busy, setBusy] = useState(false);
  const isOwner = house.role === 'owner';

  async function changeRole({ userId, name, role: before }: Named, role: HouseRole, isUndo = false) {
    try {
      await withProof(() =>
        call('PUT /houses/:id/members/:userId', { params: { id: house.id, userId }, body: { role } }),
      );
      // Whoever is no longer an owner cannot set their own role back.
      const canUndo = !isUndo && userId !== user?.id;
      const undo = { text: say('undo'), run: () => void changeRole({ userId, name, role }, before, true) };
      const text = say('house.roleChanged', { name, role: say(`role.${role}`) });
      notify({ kind: 'success', id: userId, text, ...(canUndo && { action: undo }) });
    } catch (problem) {
      const text = `${say('house.roleNotChanged', { name })} ${houseProblemText(problem, words)}`;
      notify({ kind: 'error', id: userId, text });
    }
    await refetchHouse();
  }

  async function remove({ userId, name, role }: WireMember) {
    setBusy(true);
    // The dialog that asks for the proof takes its place.
    if (role === 'owner') setAsking(null);
    const isMe = userId === user?.id;
    try {
      await withProof(() => call('DELETE /houses/:id/members/:userId', { params: { id: house.id, userId } }));
      if (isMe) return void (await refreshSession());
      notify({ kind: 'success', id: userId, text: say('house.removed', { name }) });
    } catch (problem) {
      const failed = isMe ? say('house.notLeft') : say('house.notRemoved', { name });
      notify({ kind: 'error', id: userId, text: `${failed} ${houseProblemText(problem, words)}` });
    }
    await refetchHouse();
    setBusy(false);
    setAsking(null);
    // The pressed button disappears with its person, so the list gets the focus.
    list.current?.focus();
  }

  if (!data) {
    if (!error || isFetching) return <Skeleton width="min(24rem, 100%)" height="6rem" />;
    return (
      <div className={styles.failed} role="alert">
        <p>{say('house.people.failed')}</p>
        <Button onClick={() => void refetch()}>{say('retry')}</Button>
      </div>
    );
  }
  const me = data.find(({ userId }) => userId === user?.id);
  const leaving = asking !== null && asking.userId === user?.id;
  return (
    <>
      <ul ref={list} tabIndex={-1} className={styles.list} aria-label={say('house.people')}>
        {data.map((member) => (
          <Person
            key={member.userId}
            member={member}
            isMe={member === me}
            onRole={isOwner ? (role) => void changeRole(member, role) : null}
            onRemove={isOwner && member !== me ? () => setAsking(member) : null}
          />
        ))}
      </ul>
      {me && (
        <div>
          <Button look="danger" aria-haspopup="dialog" onClick={() => setAsking(me)}>
            {say('house.leave')}
          </Button>
        </div>
      )}
      {asking && (
        <Confirm
          title={
            leaving
              ? say('house.leave.ask', { house: house.name })
              : say('house.remove.ask', { name: asking.name, house: house.name })
          }
          text={say(leaving ? 'house.leave.text' : 'house.remove.text')}
          confirmLabel={say(leaving ? 'house.leave' : 'house.remove')}
          cancelLabel={say('delete.cancel')}
          busy={busy}
          onConfirm={() => void remove(asking)}
          onCancel={() => setAsking(null)}
        />
      )}
    </>
  );
}

type PersonProps = {
  member: WireMember;
  isMe: boolean;
  onRole: ((role: HouseRole) => void) | null;
  onRemove: (() => void) | null;
};

function Person({ member: { name, email, image, role }, isMe, onRole, onRemove }: PersonProps) {
  const { say } = useWords();
  return (
    <li className={styles.person}>
      <Avatar image={image} />
      <span className={styles.who}>
        <span className={styles.name}>
          <bdi>{name}</bdi> {isMe && <Badge tone="plain">{say('house.you')}</Badge>}
        </span>
        <span className={styles.email}>
          <bdi>{email}</bdi>
        </span>
      </span>
      <span className={styles.end}>
        {onRole ? (
          <SelectFilter
            label={say('house.roleOf', { name })}
            hideLabel
            value={role}
            options={houseRoles.map((value) => ({ value, text: say(`role.${value}`) }))}
            onPick={(picked) => onRole(picked as HouseRole)}
          />
        ) : (
          <span>{say(`role.${role}`)}</span>
        )}
        {onRemove && (
          <Button size="s" aria-label={say('house.removeNamed', { name })} aria-haspopup="dialog" onClick={onRemove}>
            {say('house.remove')}
          </Button>
        )}
      </span>
    </li>
  );
}
