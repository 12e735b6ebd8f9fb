import { toWire } from '@perfume/contract/wire-item';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '../api/query-client.ts';
import { count, deliver, receive } from '../features/ledger/stock-actions.ts';
import { testItem } from '../testing.ts';
import type { Toast } from '../ui/toast.ts';
import { loadArea } from '../words/catalogues.ts';
import { speaking } from '../words/words.tsx';
import { type Action, resetStackFor } from './undo-stack.ts';
import { redoLastWithToast, undoLastWithToast, undoWithToast } from './undo-with-toast.ts';

const notices: Toast[] = [];
vi.mock('../ui/toast.ts', () => ({ notify: (notice: Toast) => notices.push(notice) }));

const words = speaking('en');
const item = testItem();
const last = () => notices.at(-1);
const isOpen = ({ action }: Toast) => action !== undefined && (action.availability?.isAvailable() ?? true);

let person = 0;
beforeEach(async () => {
  await Promise.all([loadArea('en', 'ledger'), loadArea('en', 'shell'), loadArea('en', 'history')]);
  resetStackFor(`person ${++person}`);
  queryClient.setQueryData(['item', item.id], item);
  let version = item.version;
  vi.stubGlobal('fetch', async (path: string) => {
    const wire = toWire({ ...item, version: ++version });
    const entry = { id: `entry ${version}`, itemId: item.id, delta: 1 };
    return Response.json(path.endsWith('/undo') ? { entry, item: wire } : wire);
  });
});

afterEach(() => {
  notices.length = 0;
  queryClient.clear();
  vi.unstubAllGlobals();
});

test('an item has one toast, and only its newest action can be clicked', async () => {
  await deliver(item, 1, 'desktop', words);
  expect(last()).toMatchObject({ text: 'Delivered 1 × Nuit', action: { text: 'Undo' } });
  await undoLastWithToast(words);
  expect(last()).toMatchObject({ text: 'Undone: delivery of 1 × Nuit', action: { text: 'Redo' } });
  await redoLastWithToast(words);
  expect(last()).toMatchObject({ text: 'Redone: delivery of 1 × Nuit', action: { text: 'Undo' } });
  await undoLastWithToast(words);
  await receive(item, 3, words);
  expect(new Set(notices.map(({ id }) => id))).toEqual(new Set([item.id]));
  expect(notices.filter(isOpen)).toEqual([last()]);
});

test('a count ends the toast of the deliveries before it, and has its own Undo', async () => {
  await deliver(item, 2, 'desktop', words);
  await count(item, { counted: 40, reason: 'theft' }, words);
  expect(last()).toMatchObject({ text: 'Corrected Nuit: 42 → 40', action: { text: 'Undo' } });
  await undoLastWithToast(words);
  expect(last()).toMatchObject({ text: 'Undone: correction of Nuit', action: { text: 'Redo' } });
  await deliver(item, 1, 'desktop', words);
  expect(last()).toMatchObject({ text: 'Delivered 1 × Nuit' });
  await count(item, { counted: 42, reason: 'miscount' }, words);
  expect(last()).toEqual({ kind: 'success', id: item.id, text: 'Quantity confirmed: 42 × Nuit' });
});

test('one Undo undoes everything in the toast, and one Redo redoes all of it', async () => {
  await deliver(item, 1, 'desktop', words);
  await deliver(item, 1, 'desktop', words);
  expect(last()).toMatchObject({ text: 'Delivered 2 × Nuit', action: { text: 'Undo' } });
  last()?.action?.run();
  await expect.poll(last).toMatchObject({ text: 'Undone: delivery of 2 × Nuit', action: { text: 'Redo' } });
  last()?.action?.run();
  await expect.poll(last).toMatchObject({ text: 'Redone: delivery of 2 × Nuit', action: { text: 'Undo' } });
  await deliver(item, 1, 'desktop', words);
  expect(last()).toMatchObject({ text: 'Delivered 1 × Nuit' });
});

test('after an undo in the history, toast and keyboard offer the same', async () => {
  const actionOfOthers = (id: string): Action => ({
    id,
    about: item.id,
    what: { kind: 'deliver', name: 'Nuit', count: 1 },
    undo: async () => actionOfOthers(`${id}'`),
  });
  await undoWithToast([actionOfOthers('e')], words, { inHistory: { redoes: false } });
  expect(last()).toMatchObject({ text: 'Undone: delivery of 1 × Nuit', action: { text: 'Undo' } });
  await undoLastWithToast(words);
  expect(last()).toMatchObject({ text: 'Undone: undo of delivery of 1 × Nuit', action: { text: 'Redo' } });
  await redoLastWithToast(words);
  expect(last()).toMatchObject({ text: 'Redone: undo of delivery of 1 × Nuit', action: { text: 'Undo' } });
  last()?.action?.run();
  await expect.poll(last).toMatchObject({ text: 'Undone: undo of delivery of 1 × Nuit', action: { text: 'Redo' } });
  await undoLastWithToast(words);
  expect(last()).toMatchObject({ text: 'Nothing to undo.' });
});
