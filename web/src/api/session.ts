import type { WireUser } from '@perfume/contract/identity';
import { call } from './client.ts';
import { removeText, storedText, storeText } from './stored-text.ts';

/** Fetches the signed-in user from the server, or null if nobody is signed in. */
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

/** Notes that the user was logged out without asking for it, so that the login page says so once. */
export function noteForcedLogout(): void {
  try {
    sessionStorage.setItem(LOGGED_OUT_KEY, 'yes');
  } catch {
    // Without storage, the login page appears without an explanation.
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
/** One channel for sending and receiving, because a channel does not receive its own messages. */
let channel: BroadcastChannel | null = null;

/** Makes the other tabs refresh their session, after a sign-in or sign-out in this tab. */
export function notifyOtherTabs(): void {
  (channel ?? new BroadcastChannel(CHANNEL)).postMessage('changed');
}

/**
 * Reports sign-ins and sign-outs in other tabs, including those that only show in the access token in local storage.
 */
export function onOtherTabChange(listener: (change: 'changed' | 'token stored' | 'token removed') => void): () => void {
  const open = () => {
    channel ??= new BroadcastChannel(CHANNEL);
    channel.onmessage = () => listener('changed');
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
