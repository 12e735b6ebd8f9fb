import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { subscribeToChanges } from './change-feed.ts';

/** The browser's side of the feed: a test says what arrives, and sees which lines are open. */
class FakeSource extends EventTarget {
  static readonly OPEN = 1;
  static readonly CLOSED = 2;
  static all: FakeSource[] = [];
  readyState = 0;

  readonly url: string;

  constructor(url: string) {
    super();
    this.url = url;
    FakeSource.all.push(this);
  }

  close() {
    this.readyState = FakeSource.CLOSED;
  }

  hello() {
    this.readyState = 1;
    this.dispatchEvent(new Event('hello'));
  }

  breaks({ forGood }: { forGood: boolean }) {
    this.readyState = forGood ? FakeSource.CLOSED : 0;
    this.dispatchEvent(new Event('error'));
  }
}

let page: EventTarget & { visibilityState: 'visible' | 'hidden' };
let machine: EventTarget;

beforeEach(() => {
  vi.useFakeTimers();
  FakeSource.all = [];
  page = Object.assign(new EventTarget(), { visibilityState: 'visible' as const });
  machine = new EventTarget();
  vi.stubGlobal('EventSource', FakeSource);
  vi.stubGlobal('document', page);
  vi.stubGlobal('addEventListener', machine.addEventListener.bind(machine));
  vi.stubGlobal('removeEventListener', machine.removeEventListener.bind(machine));
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function listening() {
  const heard = { onChange: vi.fn(), onGap: vi.fn(), onConnection: vi.fn(), onRefused: vi.fn() };
  const stop = subscribeToChanges(heard);
  return { ...heard, stop, line: () => FakeSource.all.at(-1) as FakeSource };
}

const openLines = () => FakeSource.all.filter(({ readyState }) => readyState !== FakeSource.CLOSED).length;

function look(visibility: 'visible' | 'hidden'): void {
  page.visibilityState = visibility;
  page.dispatchEvent(new Event('visibilitychange'));
}

describe('the feed', () => {
  test('reports each change as it arrives', () => {
    const { onChange, line } = listening();
    expect(line().url).toBe('/events');
    line().hello();
    line().dispatchEvent(new MessageEvent('change', { data: '{"id":"1-1","kind":"stock"}' }));
    expect(onChange).toHaveBeenCalledExactlyOnceWith({ id: '1-1', kind: 'stock' });
  });

  test('reconnects when it has gone silent', () => {
    const { onConnection, line } = listening();
    line().hello();
    for (let beats = 0; beats < 10; beats++) {
      vi.advanceTimersByTime(15_000);
      line().dispatchEvent(new Event('beat'));
    }
    expect(FakeSource.all).toHaveLength(1);
    vi.advanceTimersByTime(45_000);
    expect(onConnection).toHaveBeenLastCalledWith('lost');
    expect([FakeSource.all.length, openLines()]).toEqual([2, 1]);
    line().hello();
    expect(onConnection).toHaveBeenLastCalledWith('live');
  });

  test('reconnects when nobody answers', () => {
    const { onConnection } = listening();
    vi.advanceTimersByTime(45_000);
    expect(onConnection).toHaveBeenLastCalledWith('lost');
    expect([FakeSource.all.length, openLines()]).toEqual([2, 1]);
  });

  test('reports a gap when it starts: a change may have happened between fetching and subscribing', () => {
    const { onGap, onConnection, line } = listening();
    expect(onGap).not.toHaveBeenCalled();
    line().hello();
    expect(onGap).toHaveBeenCalledOnce();
    expect(onConnection).toHaveBeenLastCalledWith('live');
  });

  test('resumes without a gap when the browser reconnects by itself', () => {
    const { onGap, onConnection, line } = listening();
    line().hello();
    line().breaks({ forGood: false });
    expect(onConnection).toHaveBeenLastCalledWith('lost');
    line().hello();
    expect(onConnection).toHaveBeenLastCalledWith('live');
    expect(onGap).toHaveBeenCalledOnce();
    expect(FakeSource.all).toHaveLength(1);
  });

  test('reports a refusal, but not a mere disconnect', () => {
    const { onRefused, line } = listening();
    line().hello();
    line().breaks({ forGood: false });
    expect(onRefused).not.toHaveBeenCalled();
    line().breaks({ forGood: true });
    expect(onRefused).toHaveBeenCalledOnce();
  });

  test('retries after a refusal with growing delays, and then reports a gap', async () => {
    const { onGap, line } = listening();
    line().hello();
    for (const wait of [1_000, 2_000, 4_000, 8_000, 15_000, 15_000]) {
      line().breaks({ forGood: true });
      const before = FakeSource.all.length;
      await vi.advanceTimersByTimeAsync(wait - 1);
      expect(FakeSource.all).toHaveLength(before);
      await vi.advanceTimersByTimeAsync(1);
      expect(FakeSource.all).toHaveLength(before + 1);
    }
    line().hello();
    expect(onGap).toHaveBeenCalledTimes(2);
    // Once it is back, the next trouble is met quickly again.
    line().breaks({ forGood: true });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(FakeSource.all).toHaveLength(8);
  });

  test('reports a gap when the server no longer knows its position', () => {
    const { onGap, line } = listening();
    line().hello();
    line().dispatchEvent(new Event('reset'));
    expect(onGap).toHaveBeenCalledTimes(2);
  });

  test('is lost while the browser is offline and reconnects when it is online', () => {
    const { onConnection, onGap, line } = listening();
    line().hello();
    machine.dispatchEvent(new Event('offline'));
    expect(onConnection).toHaveBeenLastCalledWith('lost');
    machine.dispatchEvent(new Event('online'));
    line().hello();
    expect(onConnection).toHaveBeenLastCalledWith('live');
    expect(onGap).toHaveBeenCalledTimes(2);
    expect(openLines()).toBe(1);
  });

  test('reconnects after the computer slept, because the connection may be dead without an error', async () => {
    const { line } = listening();
    line().hello();
    await vi.advanceTimersByTimeAsync(30_000);
    expect(FakeSource.all).toHaveLength(1);
    vi.setSystemTime(Date.now() + 3_600_000);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(FakeSource.all).toHaveLength(2);
    expect(openLines()).toBe(1);
  });

  test('closes when it is unsubscribed', async () => {
    const { stop, line } = listening();
    line().hello();
    stop();
    machine.dispatchEvent(new Event('online'));
    look('visible');
    await vi.advanceTimersByTimeAsync(120_000);
    expect(openLines()).toBe(0);
    expect(FakeSource.all).toHaveLength(1);
  });
});

describe('a hidden page', () => {
  test('disconnects after a while and reconnects when it is visible', async () => {
    const { onGap, onConnection, line } = listening();
    line().hello();
    look('hidden');
    await vi.advanceTimersByTimeAsync(19_999);
    expect(openLines()).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(openLines()).toBe(0);
    machine.dispatchEvent(new Event('online'));
    await vi.advanceTimersByTimeAsync(600_000);
    expect(openLines()).toBe(0);
    expect(onConnection).not.toHaveBeenCalledWith('lost');
    look('visible');
    line().hello();
    expect(onGap).toHaveBeenCalledTimes(2);
    expect(openLines()).toBe(1);
  });

  test('keeps its connection when it is hidden only for a moment', async () => {
    const { line } = listening();
    line().hello();
    look('hidden');
    await vi.advanceTimersByTimeAsync(10_000);
    look('visible');
    await vi.advanceTimersByTimeAsync(30_000);
    expect(FakeSource.all).toHaveLength(1);
    expect(openLines()).toBe(1);
  });

  test('does not connect before it is first visible', () => {
    page.visibilityState = 'hidden';
    listening();
    expect(FakeSource.all).toHaveLength(0);
    look('visible');
    expect(openLines()).toBe(1);
  });
});
