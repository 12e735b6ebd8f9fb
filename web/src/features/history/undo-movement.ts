import type { Item } from '@perfume/domain/items';
import { ApiProblem } from '../../api/client.ts';
import { newIdempotencyKey } from '../../api/retry.ts';
import { undoChange } from '../../live/change-stock.ts';
import type { Action, What } from '../../live/undo-stack.ts';

export type Movement = { id: string; delta: number };

/** A delivery or restock as an undoable action. Undoing changes the quantity at the click, like the action itself. */
export function movementAction(item: Item, movement: Movement, what?: What): Action {
  const { id, delta } = movement;
  const described = what ?? { kind: delta < 0 ? 'deliver' : 'restock', name: item.name, count: Math.abs(delta) };
  // One key for all tries: if only the answer was lost, a retry finds what was done.
  const key = newIdempotencyKey();
  let isUndone = false;
  return {
    id,
    about: item.id,
    what: described,
    undo: async () => {
      if (isUndone) throw new ApiProblem('already_undone', 409);
      const mirror = await undoChange(item, movement, key);
      isUndone = true;
      return movementAction(item, { id: mirror, delta: -delta }, described);
    },
  };
}
