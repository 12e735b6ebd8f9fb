import { trustedScript } from '../../ui/trusted-script.ts';
import workerUrl from './decode-worker.ts?worker&url';
import type { FrameReply, FrameRequest, SeenCode } from './frame-messages.ts';

export type CodeDetector = {
  /** Returns the codes in a picture, and closes the picture. */
  detect(picture: ImageBitmap): Promise<SeenCode[]>;
  close(): void;
};

/** Starts a worker that finds barcodes in pictures. */
export function createCodeDetector(): CodeDetector {
  const worker = new Worker(trustedScript(workerUrl), { type: 'module' });
  const waiting = new Map<number, PromiseWithResolvers<SeenCode[]>>();
  let last = 0;

  worker.addEventListener('message', ({ data }: MessageEvent<FrameReply>) => {
    const reply = waiting.get(data.id);
    waiting.delete(data.id);
    if ('codes' in data) reply?.resolve(data.codes);
    else reply?.reject(new Error(data.failed));
  });
  // The script of the worker could not be loaded.
  worker.addEventListener('error', () => {
    for (const reply of waiting.values()) reply.reject(new Error('The barcode decoder did not start.'));
    waiting.clear();
  });

  return {
    detect(picture) {
      const id = ++last;
      const reply = Promise.withResolvers<SeenCode[]>();
      waiting.set(id, reply);
      worker.postMessage({ id, picture } satisfies FrameRequest, [picture]);
      return reply.promise;
    },
    close: () => worker.terminate(),
  };
}
