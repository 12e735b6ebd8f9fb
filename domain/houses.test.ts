import { expect, test } from 'vitest';
import { type HouseAction, type HouseRole, houseRoles, roleFor, roleMay } from './houses.ts';

test('each role may do what the table of the design says', () => {
  const table: Record<HouseAction, HouseRole[]> = {
    read: ['owner', 'manager', 'keeper', 'viewer'],
    moveStock: ['owner', 'manager', 'keeper'],
    changeItems: ['owner', 'manager'],
    changeSettings: ['owner', 'manager'],
    manageHouse: ['owner'],
  };
  for (const [action, roles] of Object.entries(table) as [HouseAction, HouseRole[]][]) {
    expect([action, houseRoles.filter((role) => roleMay(role, action))]).toEqual([action, roles]);
    expect([action, roleFor(action)]).toEqual([action, roles.at(-1)]);
  }
});
