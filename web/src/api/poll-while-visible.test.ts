import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { pollWhileVisible } from './poll-while-visible.ts';

let page: EventTarget & { visibilityState: 'visible' | 'hidden' };

beforeEach(() => {
  vi.useFakeTimers();
  page = Object.assign(new EventTarget(), { visibilityState: 'visible' as const });
  vi.stubGlobal('document', page);
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function setVisibility(visibilityState: 'visible' | 'hidden'): void {
  page.visibilityState = visibilityState;
  page.dispatchEvent(new Event('visibilitychange'));
}

describe('polling', () => {
  test('continues while the page is visible', () => {
    const work = vi.fn();
    pollWhileVisible(work, 1_000);
    expect(work).not.toHaveBeenCalled();
    vi.advanceTimersByTime(3_000);
    expect(work).toHaveBeenCalledTimes(3);
  });

  test('keeps no timer while the page is hidden, and runs at once when it is visible again', () => {
    const work = vi.fn();
    pollWhileVisible(work, 1_000);
    setVisibility('hidden');
    expect(vi.getTimerCount()).toBe(0);
    vi.advanceTimersByTime(60_000);
    expect(work).not.toHaveBeenCalled();
    setVisibility('visible');
    expect(work).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(1_000);
    expect(work).toHaveBeenCalledTimes(2);
  });

  test('starts when a page opened in the background is first visible', () => {
    page.visibilityState = 'hidden';
    const work = vi.fn();
    pollWhileVisible(work, 1_000);
    expect(vi.getTimerCount()).toBe(0);
    setVisibility('visible');
    expect(work).toHaveBeenCalledTimes(1);
  });

  test('ends when it is stopped', () => {
    const work = vi.fn();
    pollWhileVisible(work, 1_000)();
    setVisibility('visible');
    vi.advanceTimersByTime(5_000);
    expect(work).not.toHaveBeenCalled();
  });
});
