import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { sendImport } from './imports-query.ts';

/** Stands in for the browser's XMLHttpRequest. Others are sending files, for as long as it is used. */
class BusyRequest {
  static sent = 0;
  readonly upload = {};
  readonly status = 429;
  readonly responseText = '{"code":"too_many"}';
  onload?: () => void;
  onloadend?: () => void;
  setRequestHeader = () => {};
  open = () => {};
  abort = () => {};
  getResponseHeader = () => '5';

  send() {
    BusyRequest.sent++;
    setTimeout(() => {
      this.onload?.();
      this.onloadend?.();
    }, 10);
  }
}

const file = new Blob(['name,price\nIris,5']);

beforeEach(() => {
  BusyRequest.sent = 0;
  vi.useFakeTimers();
  vi.stubGlobal('XMLHttpRequest', BusyRequest);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('a file is sent again for a minute while others send theirs', async () => {
  const ended = vi.fn();
  void sendImport(file, 'stock.csv', { signal: new AbortController().signal, onSent: () => {} }).catch(ended);
  await vi.advanceTimersByTimeAsync(55_000);
  expect([BusyRequest.sent, ended.mock.calls]).toEqual([11, []]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(BusyRequest.sent).toBe(13);
  expect(ended).toHaveBeenCalledWith(expect.objectContaining({ code: 'too_many' }));
});

test('a file that was cancelled meanwhile is not sent again', async () => {
  const cancel = new AbortController();
  const ended = vi.fn();
  void sendImport(file, 'stock.csv', { signal: cancel.signal, onSent: () => {} }).catch(ended);
  await vi.advanceTimersByTimeAsync(1_000);
  cancel.abort();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(BusyRequest.sent).toBe(1);
  expect(ended).toHaveBeenCalledWith(cancel.signal.reason);
});
