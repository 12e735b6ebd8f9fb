import { LOW_STOCK_AT } from '@perfume/domain/stock-level';
import { statement } from './statement.ts';

/** SQL for the warehouse's reorder point, which applies to every item without one of its own. */
export const REORDER_POINT = `coalesce((select cast(value as bigint) from settings where name = 'reorderPoint'), ${LOW_STOCK_AT})`;

export const readReorderPoint = statement<{ units: number }, []>(`select ${REORDER_POINT} as units`);

export const writeSetting = statement<never, [name: string, value: string]>(
  'insert into settings (name, value) values ($1, $2) on conflict (name) do update set value = excluded.value',
);
