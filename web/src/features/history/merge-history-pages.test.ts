import type { WireEntry } from '@perfume/contract/history';
import { describe, expect, test } from 'vitest';
import { testEntry } from '../../testing.ts';
import { type HistoryPages, withBatchUndone, withFirstPage, withUpdates } from './merge-history-pages.ts';

const entry = (id: string, more: Partial<WireEntry> = {}) => testEntry({ id, ...more });
const page = (ids: string, next: string | null) => ({ entries: [...ids].map((id) => entry(id)), next });
const known = (): HistoryPages => ({ pages: [page('dc', 'after c'), page('ba', null)], pageParams: [null, 'after c'] });
const idsOf = (pages: HistoryPages | null) => pages?.pages.map(({ entries }) => entries.map(({ id }) => id).join(''));

describe('merging new entries into the loaded history', () => {
  test('puts them on top and keeps the cursor of the pages below', () => {
    const after = withFirstPage(known(), page('fed', 'after d'));
    expect(idsOf(after)).toEqual(['fedc', 'ba']);
    expect(after?.pages[0]?.next).toBe('after c');
  });

  test('returns the same pages when nothing is new', () => {
    const before = known();
    expect(withFirstPage(before, page('dc', 'after c'))).toBe(before);
  });

  test('inserts an entry that sorts between known ones', () => {
    expect(idsOf(withFirstPage(known(), page('dxc', 'after c')))).toEqual(['dxc', 'ba']);
  });

  test('marks the entry that was undone, on any page, and leaves the others untouched', () => {
    const before = known();
    const undo = entry('u', { kind: 'undo', undoes: 'a' });
    const after = withFirstPage(before, { entries: [undo, entry('d')], next: 'after d' });
    expect(after?.pages[1]?.entries.map(({ undoneBy }) => undoneBy)).toEqual([null, 'u']);
    expect(after?.pages[1]?.entries[0]).toBe(before.pages[1]?.entries[0]);
  });

  test('gives an item that was renamed its new name in every entry', () => {
    const edit = entry('e', { kind: 'edited', itemName: 'Jour' });
    const after = withFirstPage(known(), { entries: [edit, entry('d', { itemName: 'Jour' })], next: 'after d' });
    expect(after?.pages.flatMap(({ entries }) => entries.map(({ itemName }) => itemName))).toEqual(
      Array(5).fill('Jour'),
    );
  });

  test('can mark undone entries without inserting new ones', () => {
    const after = withUpdates(known(), [entry('u', { kind: 'undo', undoes: 'a' })]);
    expect(idsOf(after)).toEqual(['dc', 'ba']);
    expect(after.pages[1]?.entries[1]?.undoneBy).toBe('u');
    const before = known();
    expect(withUpdates(before, [entry('u', { kind: 'undo', undoes: 'elsewhere' })])).toBe(before);
  });

  test('marks everything a bulk undo has undone, on all pages', () => {
    const batch = (id: string, more: Partial<WireEntry> = {}) =>
      entry(id, { batch: 'x', itemId: `item ${id}`, ...more });
    const before: HistoryPages = {
      pages: [
        { entries: [batch('d'), batch('c', { undoneBy: 'before' })], next: 'after c' },
        { entries: [batch('b'), batch('a', { batch: 'y' })], next: null },
      ],
      pageParams: [null, 'after c'],
    };
    const undoneBy = new Map(['d', 'c', 'b', 'a'].map((id) => [`item ${id}`, `undo of ${id}`]));
    const after = withBatchUndone(before, 'x', undoneBy);
    const marks = after.pages.map(({ entries }) => entries.map(({ undoneBy }) => undoneBy));
    expect(marks).toEqual([
      ['undo of d', 'before'],
      ['undo of b', null],
    ]);
    expect(withBatchUndone(after, 'x', undoneBy)).toBe(after);
  });

  test('returns null when there is a gap to the loaded entries', () => {
    expect(withFirstPage(known(), page('zyx', 'after x'))).toBeNull();
  });

  test('is the whole history when nothing was loaded before', () => {
    const none: HistoryPages = { pages: [{ entries: [], next: null }], pageParams: [null] };
    expect(idsOf(withFirstPage(none, page('a', null)))).toEqual(['a']);
  });
});
