import type { Config } from '../config.ts';
import { SHARED_HOUSE } from '../db/core/shared-house.ts';

export type Access = Config['access'];

/** SQL for the people of each house, as the table `people`: with `ACCESS=open`, everybody in the shared one. */
export const PEOPLE: Record<Access, string> = {
  open: `(select id as user_id, ${SHARED_HOUSE} as house from users) as people`,
  houses: 'members as people',
};

export function perAccess<T>(make: (access: Access) => T): Record<Access, T> {
  return { open: make('open'), houses: make('houses') };
}
