/** A command made in the palette: pages and actions are known by their key, an item also by its name. */
type RecentCommand = { key: string; text: string };

const MOST = 5;

/** Of one person in one tab: the next one to sign in here finds none of them. */
const nameFor = (userId: string) => `palette:${userId}`;

export function recentCommands(userId: string): RecentCommand[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(nameFor(userId)) ?? '[]');
    return Array.isArray(kept) ? kept.filter(isCommand) : [];
  } catch {
    return [];
  }
}

export function rememberCommand(userId: string, { key, text }: RecentCommand): void {
  const others = recentCommands(userId).filter((one) => one.key !== key);
  try {
    sessionStorage.setItem(nameFor(userId), JSON.stringify([{ key, text }, ...others].slice(0, MOST)));
  } catch {
    // A browser that refuses storage has no recent commands.
  }
}

function isCommand(value: unknown): value is RecentCommand {
  const command = value as Partial<RecentCommand> | null;
  return typeof command?.key === 'string' && typeof command.text === 'string';
}
