import { beforeEach, expect, test, vi } from 'vitest';
import { storeText } from '../../api/stored-text.ts';
import { keepItem } from '../../live/item-cache.ts';
import { testItem } from '../../testing.ts';
import { countOne, restoreDraft, saveCount } from './count-draft.ts';
import { journalEntries, removeEntry } from './journal.ts';

vi.mock('./feedback.ts', () => ({ giveFeedback: () => {} }));

/** The quantities that were counted and recorded, each with the quantity before it. */
const recorded: [counted: number, before: number][] = [];
vi.mock('../../live/change-stock.ts', () => ({
  countStock: async ({ quantity }: { quantity: number }, { counted }: { counted: number }) => {
    recorded.push([counted, quantity]);
    return null;
  },
}));

let users = 0;
const other = testItem({ id: 'other' });

/** Opens the app with a stored count of 10, begun when 12 were recorded. */
function reopen(id: string): void {
  const owner = `user ${++users}`;
  const item = testItem({ id, quantity: 12, version: 5 });
  storeText(`count-draft:${owner}`, JSON.stringify({ item, text: '10', reason: 'miscount' }));
  restoreDraft(owner);
}

beforeEach(() => {
  recorded.length = 0;
  for (const { key } of journalEntries()) removeEntry(key);
});

test('a stored count is saved by the next bottle while nobody has changed the item', () => {
  keepItem(testItem({ id: 'same', quantity: 12, version: 5 }));
  reopen('same');
  countOne(other);
  expect(recorded).toEqual([[10, 12]]);
});

test('a stored count of an item that has changed since is not saved by the next bottle', () => {
  keepItem(testItem({ id: 'changed', quantity: 10, version: 6 }));
  reopen('changed');
  countOne(other);
  expect(recorded).toEqual([]);
  expect(journalEntries()).toMatchObject([{ kind: 'refusal', mode: 'count', problem: { code: 'stale_version' } }]);
});

test('saving such a count takes the difference to the quantity on screen, which is that of now', () => {
  keepItem(testItem({ id: 'corrected', quantity: 10, version: 6 }));
  reopen('corrected');
  saveCount();
  expect(recorded).toEqual([[10, 10]]);
});
