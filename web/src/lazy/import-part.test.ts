import { afterEach, expect, test, vi } from 'vitest';
import { importPart } from './import-part.ts';

const file = 'assets/page-1.js';
const preload = { hasAttribute: vi.fn() };
const reload = vi.fn();

function openPage({ type = 'navigate', at = 100 } = {}) {
  reload.mockClear();
  vi.stubGlobal('location', { origin: 'https://shop.example', reload });
  vi.stubGlobal('document', { querySelector: () => preload });
  vi.stubGlobal('performance', { now: () => at, getEntriesByType: () => [{ type }] });
}

afterEach(() => vi.unstubAllGlobals());

test('a script that the page preloads is not fetched as well', async () => {
  openPage();
  preload.hasAttribute.mockReturnValue(false);
  const fetchMock = vi.fn();
  vi.stubGlobal('fetch', fetchMock);
  expect(await importPart(async () => 'module', [file])).toBe('module');
  expect(fetchMock).not.toHaveBeenCalled();
});

test('if its preload failed, and the browser does not retry it, the page is reloaded as soon as it arrives', async () => {
  openPage();
  preload.hasAttribute.mockReturnValue(true);
  const failing = () => importPart(() => Promise.reject(new Error('remembered')), [file]);
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  await expect(failing()).rejects.toThrow();
  expect(reload).not.toHaveBeenCalled();
  vi.stubGlobal('fetch', async () => new Response(''));
  await expect(failing()).rejects.toThrow('remembered');
  expect(reload).toHaveBeenCalledOnce();
});

test('a script that never runs does not reload the page again and again', async () => {
  const failing = () => importPart(() => Promise.reject(new Error('blocked')), [file]);
  preload.hasAttribute.mockReturnValue(true);
  vi.stubGlobal('fetch', async () => new Response(''));
  openPage({ type: 'reload' });
  await expect(failing()).rejects.toThrow('blocked');
  expect(reload).not.toHaveBeenCalled();
  // Whoever tries again a little later gets another chance.
  openPage({ type: 'reload', at: 10_000 });
  await expect(failing()).rejects.toThrow('blocked');
  expect(reload).toHaveBeenCalledOnce();
});
