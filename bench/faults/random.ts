import { hash } from 'node:crypto';

/** Chance that can be had again: the same words give the same numbers, on every machine. */
export type Chance = {
  /** From 0 up to, not including, 1. */
  next(): number;
  /** A whole number from `least` to `most`, both included. */
  whole(least: number, most: number): number;
  one<T>(of: readonly T[]): T;
  /** One name, as often as its weight says. */
  weighted<Name extends string>(weights: Record<Name, number>): Name;
};

export function chance(...words: (string | number)[]): Chance {
  let state = fnv(words.join('/'));

  // Mulberry32: 32 bits of state are plenty to choose faults with.
  function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  const whole = (least: number, most: number) => least + Math.floor(next() * (most - least + 1));

  return {
    next,
    whole,
    one<T>(of: readonly T[]): T {
      if (of.length === 0) throw new Error('there is nothing to choose from');
      return of[whole(0, of.length - 1)] as T;
    },
    weighted<Name extends string>(weights: Record<Name, number>): Name {
      const entries = Object.entries<number>(weights) as [Name, number][];
      let left = next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [name, weight] of entries) {
        left -= weight;
        if (left < 0) return name;
      }
      throw new Error('every weight is zero');
    },
  };
}

/** A UUID that belongs to these words alone: 32 bits of chance would give two operations one key sooner or later. */
export function uuidOf(...words: (string | number)[]): string {
  const hex = hash('sha256', words.join('/'));
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

function fnv(text: string): number {
  let hash = 0x811c9dc5;
  for (const letter of text) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193);
  return hash | 0;
}
