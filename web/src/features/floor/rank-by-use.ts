type Used = { itemId: string | null; at: string };

const HALF_LIFE_DAYS = 7;
const DAY_MS = 86_400_000;

/**
 * Returns the ids of the items in history entries, the most used first. An entry counts half as much after a week, so
 * what was used often and what was used last both come first.
 */
export function rankByUse(entries: readonly Used[]): string[] {
  const newest = Math.max(...entries.map(({ at }) => Date.parse(at)));
  const weights = new Map<string, number>();
  for (const { itemId, at } of entries) {
    if (itemId === null) continue;
    const days = (newest - Date.parse(at)) / DAY_MS;
    weights.set(itemId, (weights.get(itemId) ?? 0) + 0.5 ** (days / HALF_LIFE_DAYS));
  }
  return [...weights].sort(([, a], [, b]) => b - a).map(([id]) => id);
}
