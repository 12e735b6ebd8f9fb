import type { WireUser } from '@perfume/contract/identity';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { callAs } from './client.ts';
import { isLogOutKept } from './log-out-note.ts';
import {
  countEntryName,
  finishLogOut,
  hasLeft,
  isLoggingOut,
  noteBriefLogin,
  noteForcedLogout,
  noteSignedIn,
  rememberedUser,
  startLogOut,
  storeAccessToken,
  takeForcedLogout,
} from './session.ts';

const local: Record<string, string> = {};
const tab = new Map<string, string>();
const listeners = new Map<string, () => void>();
const channels = new Set<{ onmessage: ((event: { data: unknown }) => void) | null }>();

beforeEach(() => {
  vi.useFakeTimers();
  for (const name of Object.keys(local)) delete local[name];
  // Like the real one, the stored names are its own keys.
  const methods = {
    getItem: (name: string) => local[name] ?? null,
    setItem: (name: string, text: string) => void Object.assign(local, { [name]: text }),
    removeItem: (name: string) => void delete local[name],
  };
  vi.stubGlobal(
    'localStorage',
    new Proxy(local, { get: (_, name) => methods[name as keyof typeof methods] ?? local[String(name)] }),
  );
  vi.stubGlobal('sessionStorage', {
    clear: () => tab.clear(),
    getItem: (name: string) => tab.get(name) ?? null,
    setItem: (name: string, text: string) => void tab.set(name, text),
    removeItem: (name: string) => void tab.delete(name),
  });
  vi.stubGlobal(
    'BroadcastChannel',
    class {
      onmessage: ((event: { data: unknown }) => void) | null = null;
      constructor() {
        channels.add(this);
      }
      postMessage(data: unknown) {
        for (const channel of channels) if (channel !== this) channel.onmessage?.({ data });
      }
      close() {
        channels.delete(this);
      }
    },
  );
  vi.stubGlobal('addEventListener', (name: string, listener: () => void) => void listeners.set(name, listener));
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('logging out removes the token, the drafts and the choices of this person, and no draft of others', () => {
  const deleteDatabase = vi.fn();
  vi.stubGlobal('indexedDB', { deleteDatabase });
  local.lastUser = '{"id":"ines"}';
  storeAccessToken('ey');
  const own = ['new-item-draft:ines', 'edit-draft:ines:a', 'count-draft:ines'];
  for (const name of [...own, 'new-item-draft:otto', 'edit-draft:otto:ines']) local[name] = '{}';
  tab.set('palette:ines', '[]').set('manage-inventory', '?q=iris');
  startLogOut({ id: 'ines' });
  expect(Object.keys(local).sort()).toEqual(['edit-draft:otto:ines', 'loggingOut', 'new-item-draft:otto']);
  expect(tab.size).toBe(0);
  // What she saw last is removed too. Her changes that were not sent yet are in another database, and stay.
  expect(deleteDatabase.mock.calls).toEqual([['seen ines']]);
});

describe('with local storage full, the note that the user logs out', () => {
  let room: number;
  let cookies: Map<string, string>;
  beforeEach(() => {
    room = 0;
    cookies = new Map();
    const used = () => Object.entries(local).reduce((sum, [name, text]) => sum + name.length + text.length, 0);
    const methods = {
      getItem: (name: string) => local[name] ?? null,
      setItem: (name: string, text: string) => {
        if (used() + name.length + text.length > room) throw new DOMException('full', 'QuotaExceededError');
        local[name] = text;
      },
      removeItem: (name: string) => void delete local[name],
    };
    vi.stubGlobal(
      'localStorage',
      new Proxy(local, { get: (_, name) => methods[name as keyof typeof methods] ?? local[String(name)] }),
    );
    vi.stubGlobal('location', { protocol: 'https:' });
    vi.stubGlobal('document', {
      get cookie() {
        return [...cookies].map((pair) => pair.join('=')).join('; ');
      },
      set cookie(text: string) {
        const [, name = '', value = ''] = /^([^=]*)=([^;]*)/.exec(text) ?? [];
        if (text.includes('max-age=0')) cookies.delete(name);
        else cookies.set(name, value);
      },
    });
  });

  test('takes the room of what is removed', () => {
    local.lastUser = '{"id":"ines","name":"Ines"}';
    room = 'lastUser'.length + local.lastUser.length;
    startLogOut({ id: 'ines' });
    expect([local, cookies.size, isLogOutKept()]).toEqual([{ loggingOut: 'ines' }, 0, true]);
  });

  test('is a cookie, if nothing could be removed, until the server has ended the session', async () => {
    startLogOut({ id: 'ines' });
    expect([...cookies]).toEqual([['__Host-loggingOut', 'ines']]);
    expect([isLoggingOut(), isLogOutKept()]).toEqual([true, true]);
    vi.stubGlobal('fetch', async () => Response.json({ success: true }));
    await finishLogOut();
    expect([isLoggingOut(), cookies.size]).toEqual([false, 0]);
  });

  test('is known not to outlive the page, if the browser accepts no cookie either', async () => {
    vi.stubGlobal('document', new Proxy({ cookie: '' }, { set: () => true }));
    startLogOut({ id: 'ines' });
    expect([isLoggingOut(), isLogOutKept()]).toEqual([true, false]);
    vi.stubGlobal('fetch', async () => Response.json({ success: true }));
    await finishLogOut();
    expect(isLoggingOut()).toBe(false);
  });
});

test('without a connection, the server is told as soon as there is one, and once', async () => {
  const fetchMock = vi.fn(async (_url: string) => Response.json({ success: true }));
  fetchMock.mockRejectedValueOnce(new TypeError('Failed to fetch'));
  vi.stubGlobal('fetch', fetchMock);
  startLogOut({ id: 'ines' });
  const done = finishLogOut();
  await vi.advanceTimersByTimeAsync(1_000);
  expect([fetchMock.mock.calls.length, isLoggingOut()]).toEqual([1, true]);
  await vi.advanceTimersByTimeAsync(3_000);
  await done;
  expect([fetchMock.mock.calls.length, isLoggingOut()]).toEqual([2, false]);
  // Another tab that waited does not end the next session.
  await finishLogOut();
  expect(fetchMock).toHaveBeenCalledTimes(2);
});

test('the server is told at once when the browser says that the connection is back', async () => {
  const fetchMock = vi.fn(async (_url: string) => Response.json({ success: true }));
  fetchMock.mockRejectedValueOnce(new TypeError('Failed to fetch'));
  vi.stubGlobal('fetch', fetchMock);
  startLogOut({ id: 'ines' });
  const done = finishLogOut();
  await vi.advanceTimersByTimeAsync(0);
  expect(isLoggingOut()).toBe(true);
  listeners.get('online')?.();
  await vi.advanceTimersByTimeAsync(0);
  await done;
  expect([fetchMock.mock.calls.length, isLoggingOut()]).toEqual([2, false]);
});

test.each([
  ['the user who has logged out, not whoever has logged in since', 'ines', 'ines'],
  ['the user of the page, if the note is of an earlier version', 'yes', 'otto'],
])('the server is told to end the session of %s', async (_, note, ended) => {
  const fetchMock = vi.fn(async (_url: string, _init: RequestInit) => Response.json({ success: true }));
  vi.stubGlobal('fetch', fetchMock);
  callAs({ id: 'otto' });
  local.loggingOut = note;
  await finishLogOut();
  callAs(null);
  const named = fetchMock.mock.calls.map(([, { headers }]) => new Headers(headers).get('expected-user'));
  expect([named, isLoggingOut()]).toEqual([[ended], false]);
});

test('the server is also told of a second user who logs out while it ends the session of the first', async () => {
  const named: unknown[] = [];
  vi.stubGlobal('fetch', async (_url: string, { headers }: RequestInit) => {
    named.push(new Headers(headers).get('expected-user'));
    if (named.length === 1) startLogOut({ id: 'otto' });
    return Response.json({ success: true });
  });
  startLogOut({ id: 'ines' });
  await finishLogOut();
  expect([named, isLoggingOut()]).toEqual([['ines', 'otto'], false]);
});

test('other tabs hear who has logged out', async () => {
  vi.stubGlobal('removeEventListener', () => {});
  const heard = vi.fn();
  vi.resetModules();
  const otherTab = await import('./session.ts');
  const stop = otherTab.onOtherTabChange(heard);
  startLogOut({ id: 'ines' });
  stop();
  expect(heard.mock.calls).toEqual([[{ loggedOut: 'ines' }]]);
});

describe('what this browser keeps to show without a connection', () => {
  const ines = { id: 'ines', email: 'ines@example.com', emailVerified: true } as WireUser;
  const otto = { ...ines, id: 'otto', email: 'otto@example.com' };
  const deleteDatabase = vi.fn();
  const deleted = () => deleteDatabase.mock.calls.flat();

  beforeEach(() => {
    deleteDatabase.mockClear();
    vi.stubGlobal('indexedDB', { deleteDatabase });
    noteSignedIn(ines);
  });

  test('stays while the server names the same user', () => {
    noteSignedIn({ ...ines, displayName: 'Ines' });
    expect([rememberedUser()?.displayName, hasLeft(ines), deleted()]).toEqual(['Ines', false, []]);
  });

  test.each([
    ['nobody', null, null],
    ['somebody else', otto, 'otto'],
  ])('goes when the server says that %s is signed in', (_, now, remembered) => {
    noteSignedIn(now);
    expect([rememberedUser()?.id ?? null, hasLeft(ines), deleted()]).toEqual([remembered, true, ['seen ines']]);
  });

  test('goes with a login without “Remember me”, until the next login', () => {
    noteBriefLogin();
    noteSignedIn(ines);
    expect([rememberedUser(), hasLeft(ines), deleted()]).toEqual([null, false, ['seen ines']]);
    noteSignedIn(null);
    noteSignedIn(ines);
    expect(rememberedUser()?.id).toBe('ines');
  });

  test('does not come back with a reply that was under way when the user logged out', () => {
    noteBriefLogin();
    startLogOut({ id: 'ines' });
    noteSignedIn(ines);
    expect([rememberedUser(), hasLeft(ines), Object.keys(local)]).toEqual([null, true, ['loggingOut']]);
  });
});

test('the login page says once how many changes and entries of counts wait for whoever was logged out', () => {
  for (const name of ['ines', 'ines', 'otto'].map((id, index) => countEntryName(id, `count ${index}`)))
    local[name] = '{}';
  callAs({ id: 'ines' });
  noteForcedLogout(1);
  callAs(null);
  expect([takeForcedLogout(), takeForcedLogout()]).toEqual([3, null]);
});
