import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { uploadPicture } from './upload-picture.ts';

/** Stands in for the browser's XMLHttpRequest; tests report upload progress through it. */
class FakeRequest {
  static last: FakeRequest;
  readonly upload: { onprogress?: (sent: { loaded: number; total: number }) => void } = {};
  onabort?: () => void;
  onloadend?: () => void;
  setRequestHeader = () => {};
  open = () => {};
  send = () => {};

  constructor() {
    FakeRequest.last = this;
  }

  abort() {
    this.onabort?.();
    this.onloadend?.();
  }
}

const png = new Blob([new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0, 0, 0, 0, 0])]);

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('XMLHttpRequest', FakeRequest);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('an upload may take minutes while it makes progress, and fails after 20 s without any', async () => {
  const ended = vi.fn();
  const upload = uploadPicture(png, { signal: new AbortController().signal, onSent: () => {} }).catch(ended);
  await vi.waitFor(() => expect(FakeRequest.last).toBeDefined());
  for (let part = 1; part < 10; part++) {
    await vi.advanceTimersByTimeAsync(15_000);
    FakeRequest.last.upload.onprogress?.({ loaded: part, total: 10 });
  }
  expect(ended).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(20_000);
  await upload;
  expect(ended).toHaveBeenCalledWith(expect.objectContaining({ code: 'offline' }));
});
