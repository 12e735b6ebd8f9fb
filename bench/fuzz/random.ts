/** Repeatable random values: the same seed gives the same values on every machine. */
export type Random = {
  /** From 0 (inclusive) to 1 (exclusive). */
  next(): number;
  /** A whole number from `min` to `max`, inclusive. */
  whole(min: number, max: number): number;
  happens(probability: number): boolean;
  pick<T>(list: readonly T[]): T;
};

/** Random values for one request. Each request has its own stream, so request 4711 does not depend on earlier ones. */
export function randomOf(seed: number, stream: number): Random {
  let state = (Math.imul(seed | 0, 0x9e3779b1) ^ Math.imul((stream + 1) | 0, 0x85ebca6b)) | 0;
  // A xorshift generator that starts at 0 stays at 0.
  if (state === 0) state = 0x6d2b79f5;
  function next(): number {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (Math.imul(state, 0x2c1b3c6d) >>> 0) / 0x1_0000_0000;
  }
  for (let warm = 0; warm < 4; warm++) next();
  const whole = (min: number, max: number) => min + Math.floor(next() * (max - min + 1));
  return {
    next,
    whole,
    happens: (probability) => next() < probability,
    pick: <T>(list: readonly T[]): T => {
      if (list.length === 0) throw new Error('nothing to pick from');
      return list[whole(0, list.length - 1)] as T;
    },
  };
}
