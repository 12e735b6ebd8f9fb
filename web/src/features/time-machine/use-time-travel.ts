import { useCallback, useEffect, useRef, useState } from 'react';
import { formatInstant, type Moment } from './instant.ts';

/** The list follows the slider once it has rested this long. */
const REST_MS = 150;
/** Keys and clicks within this time belong to the same move. */
const SAME_MOVE_MS = 1_000;

/**
 * Puts an instant into the URL; null means now. `replace` adds no step to the browser history: it is part of the same
 * move.
 */
export type SetInstant = (at: string | null, replace: boolean) => void;

/**
 * Manages moves of the slider. `shown`, the moment at the slider, changes at once; the URL follows when the slider
 * rests. One move, however long, is one step in the browser history.
 */
export function useTimeTravel(at: string | undefined, setInstant: SetInstant) {
  const [dragged, setDragged] = useState<{ moment: Moment } | null>(null);
  const restTimer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const pending = useRef<{ moment: Moment } | null>(null);
  const moveTimer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const moving = useRef(false);
  const held = useRef(false);
  const latest = useRef({ at, setInstant });
  latest.current = { at, setInstant };

  const endMoveLater = useCallback(() => {
    clearTimeout(moveTimer.current);
    moveTimer.current = setTimeout(() => {
      if (!held.current) moving.current = false;
    }, SAME_MOVE_MS);
  }, []);

  const commit = useCallback((moment: Moment) => {
    clearTimeout(restTimer.current);
    pending.current = null;
    const { at, setInstant } = latest.current;
    const target = moment === null ? null : formatInstant(moment);
    if (target === (at ?? null)) return setDragged(null);
    setInstant(target, moving.current);
    moving.current = true;
  }, []);

  /** Moves the slider to a moment; the URL follows when the slider rests. */
  const moveTo = useCallback(
    (moment: Moment) => {
      setDragged({ moment });
      pending.current = { moment };
      clearTimeout(restTimer.current);
      restTimer.current = setTimeout(() => commit(moment), REST_MS);
      endMoveLater();
    },
    [commit, endMoveLater],
  );

  const grab = useCallback(() => {
    held.current = true;
    moving.current = false;
  }, []);

  /** Ends a drag of the slider: the chosen moment goes into the URL at once. */
  const release = useCallback(() => {
    if (!held.current) return;
    held.current = false;
    if (pending.current) commit(pending.current.moment);
    moving.current = false;
  }, [commit]);

  /** Goes to a moment at once, as a step of its own in the browser history. */
  const goTo = useCallback(
    (moment: Moment) => {
      setDragged({ moment });
      moving.current = false;
      commit(moment);
      moving.current = false;
    },
    [commit],
  );

  // The URL has caught up with the slider or was changed by something else. Unless another move is pending, show the
  // instant of the URL.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the URL changes.
  useEffect(() => {
    if (pending.current === null) setDragged(null);
    endMoveLater();
  }, [at]);
  useEffect(
    () => () => {
      clearTimeout(restTimer.current);
      clearTimeout(moveTimer.current);
    },
    [],
  );

  const settled: Moment = at === undefined ? null : Date.parse(at);
  return { shown: dragged ? dragged.moment : settled, moveTo, grab, release, goTo };
}
