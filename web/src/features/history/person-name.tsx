import type { WireActor } from '@perfume/contract/identity';
import { useWords, type Words } from '../../words/words.tsx';
import styles from './person-name.module.css';

/** The name of a person, with the mark of their account: two people may have the same name. */
export function PersonName({ person, wrap }: { person: WireActor; wrap?: (name: string) => string }) {
  const { say } = useWords();
  const name = nameOf(person, say);
  return (
    <>
      <bdi>{wrap?.(name) ?? name}</bdi>{' '}
      <span className={styles.mark} title={say('history.mark')}>
        <span className="visually-hidden">{say('history.account')} </span>
        {person.mark}
      </span>
    </>
  );
}

/** The same as plain text. */
export function personText(person: WireActor, { say }: Pick<Words, 'say'>): string {
  return `${nameOf(person, say)} (${person.mark})`;
}

function nameOf({ isFormerMember, name }: WireActor, say: Words['say']): string {
  return isFormerMember ? say('history.formerMember') : name;
}
