import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { subscribeToChanges } from './change-feed.ts';

/** Stands in for the browser's EventSource. Tests dispatch its events and count open connections. */
class FakeEventSource extends EventTarget {
  static readonly OPEN = 1;
  static readonly CLOSED = 2;
  static all: FakeEventSource[] = [];
  readyState = 0;

  readonly url: string;

  constructor(url: string) {
    super();
    this.url = url;
    FakeEventSource.all.push(this);
  }

  close() {
    this.readyState = FakeEventSource.CLOSED;
  }

  hello() {
    this.readyState = 1;
    this.dispatchEvent(new Event('hello'));
  }

  fail({ permanently }: { permanently: boolean }) {
    this.readyState = permanently ? FakeEventSource.CLOSED : 0;
    this.dispatchEvent(new Event('error'));
  }
}

let page: EventTarget & { visibilityState: 'visible' | 'hidden' };
let browser: EventTarget;

beforeEach(() => {
  vi.useFakeTimers();
  FakeEventSource.all = [];
  page = Object.assign(new EventTarget(), { visibilityState: 'visible' as const });
  browser = new EventTarget();
  vi.stubGlobal('EventSource', FakeEventSource);
  vi.stubGlobal('document', page);
  vi.stubGlobal('addEventListener', browser.addEventListener.bind(browser));
  vi.stubGlobal('removeEventListener', browser.removeEventListener.bind(browser));
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function subscribe(from: { house?: string; after?: string } = {}) {
  const listeners = {
    onChange: vi.fn(),
    onCount: vi.fn(),
    onViews: vi.fn(),
    onHouse: vi.fn(),
    onGap: vi.fn(),
    onConnection: vi.fn(),
    onRefused: vi.fn(),
  };
  const stop = subscribeToChanges(listeners, from);
  return { ...listeners, stop, source: () => FakeEventSource.all.at(-1) as FakeEventSource };
}

const openSources = () => FakeEventSource.all.filter(({ readyState }) => readyState !== FakeEventSource.CLOSED).length;

function setVisibility(visibility: 'visible' | 'hidden'): void {
  page.visibilityState = visibility;
  page.dispatchEvent(new Event('visibilitychange'));
}

describe('the feed', () => {
  test('reports each change as it arrives', () => {
    const { onChange, source } = subscribe();
    expect(source().url).toBe('/events');
    source().hello();
    source().dispatchEvent(new MessageEvent('change', { data: '{"id":"1-1","kind":"stock"}' }));
    expect(onChange).toHaveBeenCalledExactlyOnceWith({ id: '1-1', kind: 'stock' });
  });

  test('reconnects when it has gone silent', () => {
    const { onConnection, source } = subscribe();
    source().hello();
    for (let beats = 0; beats < 10; beats++) {
      vi.advanceTimersByTime(15_000);
      source().dispatchEvent(new Event('beat'));
    }
    expect(FakeEventSource.all).toHaveLength(1);
    vi.advanceTimersByTime(45_000);
    expect(onConnection).toHaveBeenLastCalledWith('lost');
    expect([FakeEventSource.all.length, openSources()]).toEqual([2, 1]);
    source().hello();
    expect(onConnection).toHaveBeenLastCalledWith('live');
  });

  test('reconnects when nobody answers', () => {
    const { onConnection } = subscribe();
    vi.advanceTimersByTime(45_000);
    expect(onConnection).toHaveBeenLastCalledWith('lost');
    expect([FakeEventSource.all.length, openSources()]).toEqual([2, 1]);
  });

  test('reports a gap when it starts: a change may have happened between fetching and subscribing', () => {
    const { onGap, onConnection, source } = subscribe();
    expect(onGap).not.toHaveBeenCalled();
    source().hello();
    expect(onGap).toHaveBeenCalledOnce();
    expect(onConnection).toHaveBeenLastCalledWith('live');
  });

  test('has no gap when it starts where it was when the page was made', () => {
    const { onGap, onHouse, source } = subscribe({ house: 'h', after: '1-7' });
    expect(source().url).toBe('/events?house=h&after=1-7');
    source().hello();
    expect([onGap.mock.calls.length, onHouse.mock.calls.length]).toEqual([0, 0]);
    // Only the page itself knows that nothing was read before.
    setVisibility('hidden');
    vi.advanceTimersByTime(20_000);
    setVisibility('visible');
    expect(source().url).toBe('/events?house=h');
    source().hello();
    expect(onGap).toHaveBeenCalledOnce();
  });

  test('reports a gap if the page was opened in the background', () => {
    page.visibilityState = 'hidden';
    const { onGap, source } = subscribe({ after: '1-7' });
    setVisibility('visible');
    expect(source().url).toBe('/events');
    source().hello();
    expect(onGap).toHaveBeenCalledOnce();
  });

  test('reports a gap if it could not start at once: meanwhile, old copies may have been shown', () => {
    const { onGap, source } = subscribe({ after: '1-7' });
    source().fail({ permanently: false });
    source().hello();
    expect(onGap).toHaveBeenCalledOnce();
  });

  test('resumes without a gap when the browser reconnects by itself', () => {
    const { onGap, onConnection, source } = subscribe();
    source().hello();
    source().fail({ permanently: false });
    expect(onConnection).toHaveBeenLastCalledWith('lost');
    source().hello();
    expect(onConnection).toHaveBeenLastCalledWith('live');
    expect(onGap).toHaveBeenCalledOnce();
    expect(FakeEventSource.all).toHaveLength(1);
  });

  test('reports a change of the house, and that it may have changed after an interruption', () => {
    const { onHouse, source } = subscribe();
    source().hello();
    expect(onHouse).not.toHaveBeenCalled();
    source().dispatchEvent(new MessageEvent('house', { data: '{}' }));
    expect(onHouse).toHaveBeenCalledTimes(1);
    source().fail({ permanently: false });
    source().hello();
    expect(onHouse).toHaveBeenCalledTimes(2);
  });

  test('reports a refusal, but not a mere disconnect', () => {
    const { onRefused, source } = subscribe();
    source().hello();
    source().fail({ permanently: false });
    expect(onRefused).not.toHaveBeenCalled();
    source().fail({ permanently: true });
    expect(onRefused).toHaveBeenCalledOnce();
  });

  test('retries after a refusal with growing delays, and then reports a gap', async () => {
    const { onGap, source } = subscribe();
    source().hello();
    for (const wait of [1_000, 2_000, 4_000, 8_000, 15_000, 15_000]) {
      source().fail({ permanently: true });
      const before = FakeEventSource.all.length;
      await vi.advanceTimersByTimeAsync(wait - 1);
      expect(FakeEventSource.all).toHaveLength(before);
      await vi.advanceTimersByTimeAsync(1);
      expect(FakeEventSource.all).toHaveLength(before + 1);
    }
    source().hello();
    expect(onGap).toHaveBeenCalledTimes(2);
    // After a successful connection the delays start from the beginning.
    source().fail({ permanently: true });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(FakeEventSource.all).toHaveLength(8);
  });

  test('reports a gap when the server no longer knows its position', () => {
    const { onGap, source } = subscribe();
    source().hello();
    source().dispatchEvent(new Event('reset'));
    expect(onGap).toHaveBeenCalledTimes(2);
  });

  test('is lost while the browser is offline and reconnects when it is online', () => {
    const { onConnection, onGap, source } = subscribe();
    source().hello();
    browser.dispatchEvent(new Event('offline'));
    expect(onConnection).toHaveBeenLastCalledWith('lost');
    browser.dispatchEvent(new Event('online'));
    source().hello();
    expect(onConnection).toHaveBeenLastCalledWith('live');
    expect(onGap).toHaveBeenCalledTimes(2);
    expect(openSources()).toBe(1);
  });

  test('reconnects after the computer slept, because the connection may be dead without an error', async () => {
    const { source } = subscribe();
    source().hello();
    await vi.advanceTimersByTimeAsync(30_000);
    expect(FakeEventSource.all).toHaveLength(1);
    vi.setSystemTime(Date.now() + 3_600_000);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(FakeEventSource.all).toHaveLength(2);
    expect(openSources()).toBe(1);
  });

  test('closes when it is unsubscribed', async () => {
    const { stop, source } = subscribe();
    source().hello();
    stop();
    browser.dispatchEvent(new Event('online'));
    setVisibility('visible');
    await vi.advanceTimersByTimeAsync(120_000);
    expect(openSources()).toBe(0);
    expect(FakeEventSource.all).toHaveLength(1);
  });
});

describe('a hidden page', () => {
  test('disconnects after a while and reconnects when it is visible', async () => {
    const { onGap, onConnection, source } = subscribe();
    source().hello();
    setVisibility('hidden');
    await vi.advanceTimersByTimeAsync(19_999);
    expect(openSources()).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(openSources()).toBe(0);
    browser.dispatchEvent(new Event('online'));
    await vi.advanceTimersByTimeAsync(600_000);
    expect(openSources()).toBe(0);
    expect(onConnection).not.toHaveBeenCalledWith('lost');
    setVisibility('visible');
    source().hello();
    expect(onGap).toHaveBeenCalledTimes(2);
    expect(openSources()).toBe(1);
  });

  test('keeps its connection when it is hidden only for a moment', async () => {
    const { source } = subscribe();
    source().hello();
    setVisibility('hidden');
    await vi.advanceTimersByTimeAsync(10_000);
    setVisibility('visible');
    await vi.advanceTimersByTimeAsync(30_000);
    expect(FakeEventSource.all).toHaveLength(1);
    expect(openSources()).toBe(1);
  });

  test('does not connect before it is first visible', () => {
    page.visibilityState = 'hidden';
    subscribe();
    expect(FakeEventSource.all).toHaveLength(0);
    setVisibility('visible');
    expect(openSources()).toBe(1);
  });
});
