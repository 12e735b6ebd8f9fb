import type { WireUser } from '@perfume/contract/identity';
import { type Caller, call, expectedUser } from './client.ts';
import { forgetLoggingOut, loggingOut, noteLoggingOut } from './log-out-note.ts';
import { namesOnlyInMemory, removeText, storedNames, storedText, storeText } from './stored-text.ts';

/** Fetches the signed-in user from the server, or null if nobody is signed in. */
export async function fetchSession(): Promise<WireUser | null> {
  const { data } = await call('GET /api/auth/get-session');
  return data?.user ?? null;
}

/** Ends the session of this user. The server ends none if somebody else has logged in meanwhile. */
export async function postSignOut(userId: string): Promise<void> {
  await call('POST /api/auth/sign-out', { headers: { 'expected-user': userId } });
  removeAccessToken();
  notifyOtherTabs();
}

/** How long to wait before the server is told again that the user has logged out. */
const RETRY_MS = 3_000;
/** What an earlier version noted instead of the id of the user who logs out. */
const NO_ID = 'yes';

/** Whether the user has logged out in this browser, but the server has not confirmed it yet. */
export function isLoggingOut(): boolean {
  return loggingOut() !== null;
}

/** Under this name a user's unsaved items and counts, and copies of what they saw, belong to their house. */
export function ownerName({ id, house }: Caller): string {
  return house ? `${id} ${house.id}` : id;
}

/** Returns the names under which unsaved items, edits and counts of the user are stored in this browser. */
export function draftsOf(userId: string): string[] {
  return [`new-item-draft:${userId}`, `edit-draft:${userId}:`, `count-draft:${userId}`].flatMap(storedNames);
}

/** The name under which an entry of a count session is stored in this browser until it is sent. */
export function countEntryName(userId: string, entry: string): string {
  return `${COUNT_ENTRY}${userId} ${entry}`;
}

const COUNT_ENTRY = 'count-entry ';

/** Returns the names of the unsent entries that are lost when the page is closed: this device had no room for them. */
export function countEntriesOnlyInMemory(): string[] {
  return namesOnlyInMemory(COUNT_ENTRY);
}

/** Returns the names under which unsent entries of the user's count sessions are stored in this browser. */
export function countEntriesOf(userId: string): string[] {
  return storedNames(countEntryName(userId, ''));
}

/** The name of the database with copies of what a user saw last in their house. */
export function seenDatabase(user: Caller): string {
  return SEEN + ownerName(user);
}

/** The names of all these databases begin with this. */
export const SEEN = 'seen ';

const LAST_USER_KEY = 'lastUser';
const BRIEF_KEY = 'briefLogin';

/** Notes that the user has logged in without 'Remember me': nothing of theirs may outlive the browser. */
export function noteBriefLogin(): void {
  storeText(BRIEF_KEY, 'yes');
}

export function isBriefLogin(): boolean {
  return storedText(BRIEF_KEY) !== null;
}

/**
 * Notes who is signed in, so that the app opens without a connection. Call this whenever the server has said so: when it
 * is somebody else than before, or nobody, or they work in another house, what this browser keeps to show without a
 * connection is removed.
 */
export function noteSignedIn(user: WireUser | null): void {
  // The server does not know yet that the user has logged out.
  if (isLoggingOut()) return;
  const last = rememberedUser();
  if (user === null || isBriefLogin() || last?.id !== user.id || last.house?.id !== user.house?.id) forgetUser();
  if (user === null) {
    removeText(BRIEF_KEY);
    removeAccessToken();
  } else if (user.emailVerified && !isBriefLogin()) storeText(LAST_USER_KEY, JSON.stringify(user));
}

/** Whether the user of this page, which was restored from memory, has left this browser meanwhile. */
export function hasLeft(user: WireUser): boolean {
  return user.emailVerified && !isBriefLogin() && rememberedUser()?.id !== user.id;
}

/** Returns who was signed in last in this browser and has not logged out since. */
export function rememberedUser(): WireUser | null {
  try {
    return JSON.parse(storedText(LAST_USER_KEY) ?? 'null');
  } catch {
    return null;
  }
}

/** Forgets who was signed in last, and the copies of what they saw. */
function forgetUser(): void {
  const last = rememberedUser();
  removeText(LAST_USER_KEY);
  if (last) deleteSeenData(last);
}

/** Deletes the copies of what a user saw last. */
function deleteSeenData(user: Caller): void {
  if (typeof indexedDB !== 'undefined') indexedDB.deleteDatabase(seenDatabase(user));
}

/**
 * Removes everything of the user from this browser except changes of stock and entries of counts that were not sent
 * yet, and notes that the server has to end the session. The note holds only the user's id, which is random.
 */
export function startLogOut(user: Caller): void {
  removeAccessToken();
  for (const name of [...draftsOf(user.id), LAST_USER_KEY, BRIEF_KEY]) removeText(name);
  // After the rest, which makes room for it.
  noteLoggingOut(user.id);
  deleteSeenData(user);
  clearTabStorage();
  notifyOtherTabs({ loggedOut: user.id });
}

/** Removes the last search, selections, recent commands and scroll positions, which belong to this tab. */
export function clearTabStorage(): void {
  try {
    sessionStorage.clear();
  } catch {
    // The browser refuses storage, so nothing is stored.
  }
}

/** Opens a page of another house from the server, so that nothing of this house stays in memory. */
export function openOtherHouse(path: string): void {
  clearTabStorage();
  location.assign(path);
}

/**
 * Tells the server to end the session, until it has answered or another tab has told it. Without a connection that
 * takes as long as the connection is away, also across reloads.
 */
export async function finishLogOut(): Promise<void> {
  for (let id = loggingOut(); id !== null; id = loggingOut()) {
    try {
      await call('POST /api/auth/sign-out', id === NO_ID ? {} : { headers: { 'expected-user': id } });
      // Somebody else may have logged out in another tab meanwhile.
      if (loggingOut() === id) forgetLoggingOut();
    } catch {
      await new Promise<void>((resolve) => {
        setTimeout(resolve, RETRY_MS);
        addEventListener('online', () => resolve(), { once: true });
      });
    }
  }
}

const TOKEN_KEY = 'accessToken';

export function storedAccessToken(): string | null {
  return storedText(TOKEN_KEY);
}

export function storeAccessToken(token: string): void {
  storeText(TOKEN_KEY, token);
}

export function removeAccessToken(): void {
  removeText(TOKEN_KEY);
}

const LOGGED_OUT_KEY = 'loggedOut';

/**
 * Notes that the user was logged out without asking for it, so that the login page says so once, and says how many of
 * their changes of stock and entries of counts wait on this device.
 */
export function noteForcedLogout(unsentChanges = 0): void {
  const entries = countEntriesOf(expectedUser() ?? '').length;
  try {
    sessionStorage.setItem(LOGGED_OUT_KEY, String(unsentChanges + entries));
  } catch {
    // Without storage, the login page appears without an explanation.
  }
}

/** Returns how many changes the user who was logged out has not sent; null if nobody was logged out. */
export function takeForcedLogout(): number | null {
  try {
    const noted = sessionStorage.getItem(LOGGED_OUT_KEY);
    sessionStorage.removeItem(LOGGED_OUT_KEY);
    return noted === null ? null : Number(noted) || 0;
  } catch {
    return null;
  }
}

const CHANNEL = 'sign-in';
/** One channel for sending and receiving, because a channel does not receive its own messages. */
let channel: BroadcastChannel | null = null;

type LoggedOut = { loggedOut: string };

/** Makes the other tabs refresh their session, or those of one user leave it, after a sign-in or sign-out in this tab. */
export function notifyOtherTabs(change: 'changed' | LoggedOut = 'changed'): void {
  (channel ?? new BroadcastChannel(CHANNEL)).postMessage(change);
}

/**
 * Reports sign-ins and sign-outs in other tabs, including those that only show in the access token in local storage.
 */
export function onOtherTabChange(
  listener: (change: 'changed' | LoggedOut | 'token stored' | 'token removed') => void,
): () => void {
  const open = () => {
    channel ??= new BroadcastChannel(CHANNEL);
    channel.onmessage = ({ data }) => listener(data);
  };
  // An open channel keeps the page out of the back-forward cache.
  const close = () => {
    channel?.close();
    channel = null;
  };
  const onStorage = ({ key, newValue }: StorageEvent) => {
    if (key === TOKEN_KEY || key === null) listener(newValue === null ? 'token removed' : 'token stored');
  };
  open();
  addEventListener('pageshow', open);
  addEventListener('pagehide', close);
  addEventListener('storage', onStorage);
  return () => {
    close();
    removeEventListener('pageshow', open);
    removeEventListener('pagehide', close);
    removeEventListener('storage', onStorage);
  };
}
