import type { WireCount } from '@perfume/contract/counts';
import type { WireActor } from '@perfume/contract/identity';
import type { Words } from '../../words/words.tsx';

/** Returns what a session counts, such as "Low stock · Items with “oud”". */
export function scopeText({ q, stock, mine, openedBy }: WireCount, words: Pick<Words, 'say'>): string {
  const { say } = words;
  const parts = [
    mine && say('counts.about.mine', { name: shownName(openedBy, words) }),
    stock && say(`counts.about.${stock}`),
    q && say('counts.about.q', { q }),
  ].filter(Boolean);
  return parts.length > 0 ? parts.join(' · ') : say('counts.about.everything');
}

export function shownName({ isFormerMember, name }: WireActor, { say }: Pick<Words, 'say'>): string {
  return isFormerMember ? say('history.formerMember') : name;
}
