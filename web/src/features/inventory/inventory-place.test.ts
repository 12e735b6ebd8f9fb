import { beforeEach, expect, test, vi } from 'vitest';
import { keepPlace, keptPlace } from './inventory-place.ts';

beforeEach(() => {
  const stored = new Map<string, string>();
  vi.stubGlobal('sessionStorage', {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, text: string) => void stored.set(name, text),
    removeItem: (name: string) => void stored.delete(name),
  });
});

test('a place is found again at its step of the history, else by its filters', () => {
  keepPlace('one', 'oud', { row: 40.5, total: 100 });
  keepPlace('two', 'oud', { row: 7, total: 100 });
  expect(keptPlace('one', 'oud')?.row).toBe(40.5);
  expect(keptPlace('three', 'oud')?.row).toBe(7);
  expect(keptPlace('one', 'rose')).toBeNull();
});

test('only so many places are kept, the latest ones', () => {
  for (let at = 0; at < 500; at++) keepPlace(`${at}`, `q${at}`, { row: at, total: null });
  expect(keptPlace('0', 'q0')).toBeNull();
  expect(keptPlace('499', 'q499')?.row).toBe(499);
  expect(sessionStorage.getItem('inventory-places')?.length).toBeLessThan(5_000);
});

test('a storage that is refused or spoilt is as if it were empty', () => {
  sessionStorage.setItem('inventory-places', '{"no');
  expect(keptPlace('one', 'oud')).toBeNull();
  vi.stubGlobal('sessionStorage', undefined);
  keepPlace('one', 'oud', { row: 1, total: 1 });
  expect(keptPlace('one', 'oud')).toBeNull();
});
