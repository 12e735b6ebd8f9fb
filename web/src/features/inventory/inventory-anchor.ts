/** A row in sight: whose it is and where it stood. */
export type Sighting = { id: string; index: number };

/**
 * How far what people onRowsInView at has moved, in rows, after rows came or went elsewhere: what most rows in sight agree on.
 * One row that changed its own place does not take the others along.
 */
export function shiftOf(seen: readonly Sighting[], indexOf: (id: string) => number | undefined): number {
  const votes = new Map<number, number>();
  let shift = 0;
  for (const { id, index } of seen) {
    const now = indexOf(id);
    if (now === undefined) continue;
    const count = (votes.get(now - index) ?? 0) + 1;
    votes.set(now - index, count);
    if (count > (votes.get(shift) ?? 0)) shift = now - index;
  }
  return shift;
}
