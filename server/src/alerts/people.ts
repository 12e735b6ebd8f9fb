import type { Config } from '../config.ts';
import { SHARED_HOUSE } from '../db/core/shared-house.ts';

export type Access = Config['access'];

/** SQL for the people of each house, as the table `people`: with `ACCESS=open`, everybody in the shared one. */
export const PEOPLE: Record<Access, string> = {
  open: `(select id as user_id, ${SHARED_HOUSE} as house from users) as people`,
  houses: 'members as people',
};

/** SQL for the name of the house `c.house` for a person `u` who is in several houses, otherwise null. */
export const HOUSE_NAME: Record<Access, string> = {
  open: 'cast(null as text)',
  houses: `case when (select count(*) from members where members.user_id = u.id) > 1
     then (select houses.name from houses where houses.num = c.house) end`,
};

export function perAccess<T>(make: (access: Access) => T): Record<Access, T> {
  return { open: make('open'), houses: make('houses') };
}
