import { hash } from 'node:crypto';

/** Repeatable random numbers: the same words give the same numbers on every machine. */
export type SeededRandom = {
  /** From 0 (inclusive) to 1 (exclusive). */
  next(): number;
  /** A whole number from `min` to `max`, inclusive. */
  whole(min: number, max: number): number;
  pick<T>(of: readonly T[]): T;
  /** Picks a name, with a probability in proportion to its weight. */
  pickWeighted<Name extends string>(weights: Record<Name, number>): Name;
};

export function seededRandom(...words: (string | number)[]): SeededRandom {
  let state = fnv(words.join('/'));

  // Mulberry32. Its 32 bits of state are enough to choose faults.
  function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  const whole = (min: number, max: number) => min + Math.floor(next() * (max - min + 1));

  return {
    next,
    whole,
    pick<T>(of: readonly T[]): T {
      if (of.length === 0) throw new Error('there is nothing to choose from');
      return of[whole(0, of.length - 1)] as T;
    },
    pickWeighted<Name extends string>(weights: Record<Name, number>): Name {
      const entries = Object.entries<number>(weights) as [Name, number][];
      let remaining = next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [name, weight] of entries) {
        remaining -= weight;
        if (remaining < 0) return name;
      }
      throw new Error('every weight is zero');
    },
  };
}

/**
 * A UUID derived from the words by a hash, because 32 bits of randomness would soon give two operations the same key.
 */
export function uuidOf(...words: (string | number)[]): string {
  const hex = hash('sha256', words.join('/'));
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

function fnv(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return hash | 0;
}
