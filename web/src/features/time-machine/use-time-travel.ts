import { useCallback, useEffect, useRef, useState } from 'react';
import { formatInstant, type Moment } from './instant.ts';

/** The slider has to rest this long before the list follows. */
const REST_MS = 150;
/** Keys and clicks that follow sooner, once the page has followed the last, are still the same move. */
const SAME_MOVE_MS = 1_000;

/** `replace`: still the same move, so it is no further step of the history. */
export type SetInstant = (at: string | null, replace: boolean) => void;

/**
 * Moving through time. `shown` is where the hand is; the address follows when it rests. One move, however long, is one
 * step of the history.
 */
export function useTimeTravel(at: string | undefined, setInstant: SetInstant) {
  const [hand, setHand] = useState<{ moment: Moment } | null>(null);
  const rest = useRef<ReturnType<typeof setTimeout>>(undefined);
  const waiting = useRef<{ moment: Moment } | null>(null);
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined);
  const moving = useRef(false);
  const held = useRef(false);
  const latest = useRef({ at, setInstant });
  latest.current = { at, setInstant };

  const pauseLater = useCallback(() => {
    clearTimeout(pause.current);
    pause.current = setTimeout(() => {
      if (!held.current) moving.current = false;
    }, SAME_MOVE_MS);
  }, []);

  const arrive = useCallback((moment: Moment) => {
    clearTimeout(rest.current);
    waiting.current = null;
    const { at, setInstant } = latest.current;
    const there = moment === null ? null : formatInstant(moment);
    if (there === (at ?? null)) return setHand(null);
    setInstant(there, moving.current);
    moving.current = true;
  }, []);

  /** The hand is over this moment now. */
  const moveTo = useCallback(
    (moment: Moment) => {
      setHand({ moment });
      waiting.current = { moment };
      clearTimeout(rest.current);
      rest.current = setTimeout(() => arrive(moment), REST_MS);
      pauseLater();
    },
    [arrive, pauseLater],
  );

  const hold = useCallback(() => {
    held.current = true;
    moving.current = false;
  }, []);

  /** The hand lets go: what it was over is where one wants to be, at once. */
  const letGo = useCallback(() => {
    if (!held.current) return;
    held.current = false;
    if (waiting.current) arrive(waiting.current.moment);
    moving.current = false;
  }, [arrive]);

  /** Straight there, as a step of its own. */
  const goTo = useCallback(
    (moment: Moment) => {
      setHand({ moment });
      moving.current = false;
      arrive(moment);
      moving.current = false;
    },
    [arrive],
  );

  // The address has followed, or has gone somewhere by itself; unless the hand is on its way again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new address is the reason.
  useEffect(() => {
    if (waiting.current === null) setHand(null);
    pauseLater();
  }, [at]);
  useEffect(
    () => () => {
      clearTimeout(rest.current);
      clearTimeout(pause.current);
    },
    [],
  );

  const settled: Moment = at === undefined ? null : Date.parse(at);
  return { shown: hand ? hand.moment : settled, moveTo, hold, letGo, goTo };
}
