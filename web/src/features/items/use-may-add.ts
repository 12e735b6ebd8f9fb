import { roleMay } from '@perfume/domain/houses';
import { useBoot } from '../../api/boot.ts';

/**
 * Whether public pages link to the form for new items: for visitors, who log in first, and for people whose role may add
 * items. `useMay` is not used, because its module loads the query cache, which public pages do without.
 */
export function useMayAdd(): boolean {
  const { user } = useBoot();
  return user?.house === undefined || (user.house !== null && roleMay(user.house.role, 'changeItems'));
}
