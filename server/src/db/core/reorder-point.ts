import { statement } from './statement.ts';

/** SQL for the reorder point of a house, which applies to every item without one of its own. `house` is SQL too. */
export const reorderPointOf = (house: string) => `(select reorder_point from houses where houses.num = ${house})`;

export const readReorderPoint = statement<{ units: number }, [house: number]>(
  'select reorder_point as units from houses where num = $1',
);
