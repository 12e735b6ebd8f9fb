/**
 * A command that the user chose recently. Pages and actions are found by their key; an item also needs its name as
 * `text`.
 */
type RecentCommand = { key: string; text: string };

const MAX_RECENT = 5;

/** Recent commands belong to one user in one tab: the next user to sign in here does not see them. */
const storageKey = (userId: string) => `palette:${userId}`;

export function recentCommands(userId: string): RecentCommand[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(storageKey(userId)) ?? '[]');
    return Array.isArray(kept) ? kept.filter(isCommand) : [];
  } catch {
    return [];
  }
}

export function rememberCommand(userId: string, { key, text }: RecentCommand): void {
  const others = recentCommands(userId).filter((one) => one.key !== key);
  try {
    sessionStorage.setItem(storageKey(userId), JSON.stringify([{ key, text }, ...others].slice(0, MAX_RECENT)));
  } catch {
    // Without storage there are no recent commands.
  }
}

function isCommand(value: unknown): value is RecentCommand {
  const command = value as Partial<RecentCommand> | null;
  return typeof command?.key === 'string' && typeof command.text === 'string';
}
