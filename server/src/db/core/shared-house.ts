/** The number of the house that everybody shares with `ACCESS=open`. The migration made it. */
export const SHARED_HOUSE = 1;
