/** A choice made in the palette: pages and actions are known by their key, an item also by its name. */
type RecentChoice = { key: string; text: string };

const MOST = 5;

/** Of one person in one tab: the next one to sign in here finds none of them. */
const nameFor = (userId: string) => `palette:${userId}`;

export function recentCommands(userId: string): RecentChoice[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(nameFor(userId)) ?? '[]');
    return Array.isArray(kept) ? kept.filter(isChoice) : [];
  } catch {
    return [];
  }
}

export function rememberCommand(userId: string, { key, text }: RecentChoice): void {
  const others = recentCommands(userId).filter((one) => one.key !== key);
  try {
    sessionStorage.setItem(nameFor(userId), JSON.stringify([{ key, text }, ...others].slice(0, MOST)));
  } catch {
    // A browser that refuses storage has no recent choices.
  }
}

function isChoice(value: unknown): value is RecentChoice {
  const choice = value as Partial<RecentChoice> | null;
  return typeof choice?.key === 'string' && typeof choice.text === 'string';
}
