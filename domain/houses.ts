/** What somebody is in a house, from the one who may do most to the one who may do least. */
export const houseRoles = ['owner', 'manager', 'keeper', 'viewer'] as const;
export type HouseRole = (typeof houseRoles)[number];

/** What people do in a house, and the last role, in the order above, that may do it. */
const lastRoles = {
  read: 'viewer',
  /** Deliver, restock, count, and undo that if it was their own. */
  moveStock: 'keeper',
  /** Add, edit, delete and restore items, in bulk too, and undo what others did. */
  changeItems: 'manager',
  changeSettings: 'manager',
  /** Its name, its public page, its people, their roles and invitations, and API keys. */
  manageHouse: 'owner',
} as const satisfies Record<string, HouseRole>;
export type HouseAction = keyof typeof lastRoles;

export function roleMay(role: HouseRole, action: HouseAction): boolean {
  return houseRoles.indexOf(role) <= houseRoles.indexOf(lastRoles[action]);
}

/** The role with the fewest rights that may do this. */
export function roleFor(action: HouseAction): HouseRole {
  return lastRoles[action];
}

/** What the history of a house records. `settings`: a setting that all its people share. */
export const houseEventKinds = [
  'settings',
  'created',
  'renamed',
  'published',
  'unpublished',
  'deleted',
  'invited',
  'withdrawn',
  'joined',
  'role',
  'left',
  'removed',
  'webhook_made',
  'webhook_deleted',
  'webhook_changed',
  'webhook_on',
  'webhook_off',
  'webhook_stopped',
] as const;
export type HouseEventKind = (typeof houseEventKinds)[number];
