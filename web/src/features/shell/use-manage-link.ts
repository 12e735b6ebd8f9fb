import { useEffect, useState } from 'react';
import { paths } from '../../paths.ts';
import { useLocation } from '../../ui/router.tsx';
import { manageInventoryLink } from '../inventory/manage-inventory-link.ts';

/** The address of Manage Inventory with the filters last used there. */
export function useManageLink(): string {
  const { pathname, search, key } = useLocation();
  const [left, setLeft] = useState(manageInventoryLink);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the stored address changes with every navigation, and storage has no event for that
  useEffect(() => setLeft(manageInventoryLink()), [key]);
  return pathname === paths.manageInventory ? paths.manageInventory + search : left;
}
