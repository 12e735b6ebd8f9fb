import { afterEach, expect, test, vi } from 'vitest';
import { noteBriefLogin } from '../api/session.ts';
import { keepSeenData } from './keep-seen-data.ts';

afterEach(() => vi.unstubAllGlobals());

test('nothing is kept of a user who logged in without “Remember me”, and earlier copies go', async () => {
  const open = vi.fn();
  const deleteDatabase = vi.fn();
  const databases = async () => [{ name: 'seen ines' }, { name: 'seen otto' }, { name: 'stock-queue' }];
  vi.stubGlobal('indexedDB', { open, deleteDatabase, databases });
  noteBriefLogin();
  keepSeenData('ines')();
  await vi.waitFor(() => expect(deleteDatabase.mock.calls.flat()).toEqual(['seen ines', 'seen otto']));
  expect(open).not.toHaveBeenCalled();
});
