import { useBoot } from '../../api/boot.ts';
import { useHouses } from '../../live/houses.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useWords } from '../../words/words.tsx';
import { CloseHouse } from '../houses/close-house.tsx';
import { HouseHistory } from '../houses/house-history.tsx';
import { HouseInvitations } from '../houses/house-invitations.tsx';
import { HousePeople } from '../houses/house-people.tsx';
import { HouseProfile } from '../houses/house-profile.tsx';
import { NewHouse } from '../houses/new-house.tsx';
import { SettingsSection } from './settings-section.tsx';

/** The house that the user works in: its name, people, invitations and history. */
export function HouseSections() {
  const { say } = useWords();
  const { user } = useBoot();
  const { data, error, isFetching, refetch } = useHouses();
  if (!data) {
    if (!error || isFetching) return <Skeleton width="min(24rem, 100%)" height="6rem" />;
    return (
      <EmptyState text={say('house.failed')} alert>
        <Button onClick={() => void refetch()}>{say('retry')}</Button>
      </EmptyState>
    );
  }
  const house = data.find(({ id }) => id === user?.house?.id);
  if (!house) {
    return (
      <SettingsSection heading={say('house.heading')} text={say('house.text')}>
        <p>{say('house.none')}</p>
        <NewHouse />
      </SettingsSection>
    );
  }
  const isOwner = house.role === 'owner';
  return (
    <>
      <SettingsSection heading={say('house.heading')} text={say('house.text')}>
        {isOwner ? (
          <HouseProfile key={house.id} house={house} />
        ) : (
          <p>{say('house.yourRole', { house: house.name, role: say(`role.${house.role}`) })}</p>
        )}
      </SettingsSection>
      <SettingsSection heading={say('house.people')} text={say('house.people.text')}>
        <HousePeople house={house} />
        {isOwner && <HouseInvitations house={house} />}
      </SettingsSection>
      <SettingsSection heading={say('house.history')} text={say('house.history.text')}>
        <HouseHistory house={house} />
      </SettingsSection>
      <SettingsSection heading={say('house.more')} text={say('house.more.text')}>
        <NewHouse />
        {isOwner && <CloseHouse house={house} />}
      </SettingsSection>
    </>
  );
}
