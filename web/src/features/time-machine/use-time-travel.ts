import { useCallback, useEffect, useRef, useState } from 'react';
import { formatInstant, type Moment } from './instant.ts';

/** The list follows once the slider has rested this long. */
const REST_MS = 150;
/** Keys and clicks within this time belong to the same move. */
const SAME_MOVE_MS = 1_000;

/** `replace`: the same move, so it adds no step to the browser history. */
export type SetInstant = (at: string | null, replace: boolean) => void;

/**
 * Moving the slider. `shown` follows at once; the URL follows when it rests. One move, however long, is one step in the
 * browser history.
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

  /** The slider is at this moment now. */
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

  /** The slider was released: loads the chosen moment at once. */
  const release = useCallback(() => {
    if (!held.current) return;
    held.current = false;
    if (pending.current) commit(pending.current.moment);
    moving.current = false;
  }, [commit]);

  /** Goes there at once, as a step of its own. */
  const goTo = useCallback(
    (moment: Moment) => {
      setDragged({ moment });
      moving.current = false;
      commit(moment);
      moving.current = false;
    },
    [commit],
  );

  // The URL has caught up or was changed by something else; unless another move is pending, show its instant.
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
