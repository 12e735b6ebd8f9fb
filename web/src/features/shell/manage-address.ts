import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { paths } from '../../paths.ts';
import { manageInventoryLink } from '../inventory/manage-inventory-link.ts';

/** Manage Inventory as it was left, for links that stay on screen while that changes. */
export function useManageAddress(): string {
  const { pathname, search, key } = useLocation();
  const [left, setLeft] = useState(manageInventoryLink);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is kept changes with each step, and storage does not tell
  useEffect(() => setLeft(manageInventoryLink()), [key]);
  return pathname === paths.manageInventory ? paths.manageInventory + search : left;
}
