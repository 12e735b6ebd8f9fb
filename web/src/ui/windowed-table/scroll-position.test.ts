import { beforeEach, expect, test, vi } from 'vitest';
import { savedScrollPosition, saveScrollPosition } from './scroll-position.ts';

beforeEach(() => {
  const stored = new Map<string, string>();
  vi.stubGlobal('sessionStorage', {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, text: string) => void stored.set(name, text),
    removeItem: (name: string) => void stored.delete(name),
  });
});

test('a scroll position is restored at its step of the browser history, else by its list', () => {
  saveScrollPosition(['one oud', 'oud'], { row: 40.5, total: 100 });
  saveScrollPosition(['two oud', 'oud'], { row: 7, total: 100 });
  expect(savedScrollPosition(['one oud', 'oud'])?.row).toBe(40.5);
  expect(savedScrollPosition(['three oud', 'oud'])?.row).toBe(7);
  expect(savedScrollPosition(['one rose', 'rose'])).toBeNull();
});

test('only the latest scroll positions are saved', () => {
  for (let at = 0; at < 500; at++) saveScrollPosition([`${at} q${at}`, `q${at}`], { row: at, total: null });
  expect(savedScrollPosition(['0 q0', 'q0'])).toBeNull();
  expect(savedScrollPosition(['499 q499', 'q499'])?.row).toBe(499);
  expect(sessionStorage.getItem('scroll-positions')?.length).toBeLessThan(5_000);
});

test('refused or corrupt storage counts as empty', () => {
  sessionStorage.setItem('scroll-positions', '{"no');
  expect(savedScrollPosition(['one oud', 'oud'])).toBeNull();
  vi.stubGlobal('sessionStorage', undefined);
  saveScrollPosition(['one oud', 'oud'], { row: 1, total: 1 });
  expect(savedScrollPosition(['one oud', 'oud'])).toBeNull();
});
