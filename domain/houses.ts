/** What somebody is in a house, from the one who may do most to the one who may do least. */
export const houseRoles = ['owner', 'manager', 'keeper', 'viewer'] as const;
export type HouseRole = (typeof houseRoles)[number];
