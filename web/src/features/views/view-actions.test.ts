import type { WireView } from '@perfume/contract/views';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '../../api/query-client.ts';
import { resetStackFor } from '../../live/undo-stack.ts';
import { redoLastWithToast, undoLastWithToast } from '../../live/undo-with-toast.ts';
import type { Toast } from '../../ui/toast.ts';
import { loadArea } from '../../words/catalogues.ts';
import { speaking } from '../../words/words.tsx';
import { changeView, removeView, saveView } from './view-actions.ts';
import { viewsQuery } from './views-query.ts';

const notices: Toast[] = [];
vi.mock('../../ui/toast.ts', () => ({ notify: (notice: Toast) => notices.push(notice) }));

const words = speaking('en');
const view: WireView = {
  id: '0190a000-0000-7000-8000-000000000001',
  name: 'Low stock',
  page: 'manageInventory',
  query: 'stock=low',
  shared: true,
  pinned: false,
  email: false,
  mine: true,
  by: { id: 'u', name: 'Ana', isFormerMember: false, mark: 'U' },
  createdAt: '2026-05-14T10:00:00.000Z',
  updatedAt: '2026-05-14T10:00:00.000Z',
};

let sent: unknown[];
let stored: WireView;
const shown = () => queryClient.getQueryData(viewsQuery.queryKey);
const lastText = () => notices.at(-1)?.text;

let person = 0;
beforeEach(async () => {
  await Promise.all((['views', 'shell', 'history'] as const).map((area) => loadArea('en', area)));
  resetStackFor(`person ${++person}`);
  queryClient.setQueryData(viewsQuery.queryKey, [view]);
  sent = [];
  stored = view;
  vi.stubGlobal('fetch', async (_path: string, { method, body }: { method: string; body?: string }) => {
    const given = body === undefined ? null : JSON.parse(body);
    sent.push(given === null ? method : [method, given]);
    stored = { ...stored, ...given };
    return Response.json(method === 'DELETE' ? { id: view.id } : stored);
  });
});

afterEach(() => {
  notices.length = 0;
  queryClient.clear();
  vi.unstubAllGlobals();
});

test('a change sends only what differs, and its undo and redo do the same', async () => {
  const wanted = { name: 'Reorder', query: 'stock=low', shared: true, pinned: true };
  expect(await changeView(view, wanted, words)).toBe(true);
  expect(lastText()).toBe('“Reorder” was changed.');
  await undoLastWithToast(words);
  expect(lastText()).toBe('Undone: change of the view “Reorder”');
  expect(shown()).toEqual([view]);
  await redoLastWithToast(words);
  const [there, back] = [
    { name: 'Reorder', pinned: true },
    { name: 'Low stock', pinned: false },
  ].map((fields) => ['PUT', fields]);
  expect(sent).toEqual([there, back, there]);
  expect(shown()).toMatchObject([{ name: 'Reorder', pinned: true }]);
});

test('emails that are turned on and off say so', async () => {
  await changeView(view, { email: true }, words);
  expect(lastText()).toBe('You will get an email when “Low stock” is no longer empty.');
  await changeView({ ...view, email: true }, { email: false }, words);
  expect(lastText()).toBe('You will get no more emails about “Low stock”.');
  expect(sent).toEqual([
    ['PUT', { email: true }],
    ['PUT', { email: false }],
  ]);
});

test('a change of nothing is not sent', async () => {
  expect(await changeView(view, { name: 'Low stock', pinned: false }, words)).toBe(true);
  expect([sent, notices]).toEqual([[], []]);
});

test('a deleted view leaves the list, and an undo restores it as it was', async () => {
  await removeView(view, words);
  expect(shown()).toEqual([]);
  await undoLastWithToast(words);
  expect([sent, shown()]).toEqual([['DELETE', ['PUT', {}]], [view]]);
});

test('a saved view is in the list, and an undo deletes it', async () => {
  queryClient.setQueryData(viewsQuery.queryKey, []);
  const { name, page, query } = view;
  expect(await saveView({ name, page, query }, words)).toEqual(view);
  expect(shown()).toEqual([view]);
  await undoLastWithToast(words);
  expect([sent.at(-1), shown()]).toEqual(['DELETE', []]);
});

test('a refusal says why, and nothing is offered to undo', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ code: 'too_many_views', status: 409 }, { status: 409 }));
  expect(await saveView({ name: 'One more', page: 'history', query: '' }, words)).toBeNull();
  expect(notices).toEqual([
    {
      kind: 'error',
      id: 'views',
      text: 'The view was not saved. You have 100 saved views, which is the most. Delete one first.',
    },
  ]);
});
