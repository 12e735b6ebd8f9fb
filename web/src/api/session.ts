import type { WireUser } from '@perfume/contract/identity';
import { call } from './client.ts';
import { removeText, storedText, storeText } from './stored-text.ts';

/** Who is signed in, as the server sees it now. */
export async function fetchSession(): Promise<WireUser | null> {
  const { data } = await call('GET /api/auth/get-session');
  return data?.user ?? null;
}

export async function postSignOut(): Promise<void> {
  await call('POST /api/auth/sign-out');
  removeAccessToken();
  notifyOtherTabs();
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

/** Somebody who did not ask for it was logged out: the login page says so, once. */
export function noteForcedLogout(): void {
  try {
    sessionStorage.setItem(LOGGED_OUT_KEY, 'yes');
  } catch {
    // Then the login page appears without a word.
  }
}

export function takeForcedLogout(): boolean {
  try {
    const noted = sessionStorage.getItem(LOGGED_OUT_KEY) !== null;
    sessionStorage.removeItem(LOGGED_OUT_KEY);
    return noted;
  } catch {
    return false;
  }
}

const CHANNEL = 'sign-in';
/** One for speaking and hearing: what a tab says, it does not hear itself. */
let channel: BroadcastChannel | null = null;

/** Somebody signed in or out here: the other tabs look for themselves. */
export function notifyOtherTabs(): void {
  (channel ?? new BroadcastChannel(CHANNEL)).postMessage('changed');
}

/** Hears of sign-ins and sign-outs in other tabs. A token that comes or goes tells as well. */
export function onOtherTabChange(heard: (news: 'changed' | 'token came' | 'token went') => void): () => void {
  const open = () => {
    channel ??= new BroadcastChannel(CHANNEL);
    channel.onmessage = () => heard('changed');
  };
  // An open channel would keep the page out of the browser's memory for going back.
  const close = () => {
    channel?.close();
    channel = null;
  };
  const stored = ({ key, newValue }: StorageEvent) => {
    if (key === TOKEN_KEY || key === null) heard(newValue === null ? 'token went' : 'token came');
  };
  open();
  addEventListener('pageshow', open);
  addEventListener('pagehide', close);
  addEventListener('storage', stored);
  return () => {
    close();
    removeEventListener('pageshow', open);
    removeEventListener('pagehide', close);
    removeEventListener('storage', stored);
  };
}
