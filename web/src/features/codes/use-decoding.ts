import { type RefObject, useEffect, useEffectEvent } from 'react';
import { createCodeDetector } from './code-detector.ts';
import { createViewfinder } from './viewfinder.ts';

/** At most eight pictures a second are decoded: enough to be quick, and the phone stays cool. */
const MIN_INTERVAL_MS = 120;

type Options = {
  video: RefObject<HTMLVideoElement | null>;
  active: boolean;
  onCode: (code: string) => void;
  /** Called when the decoder could not be loaded. */
  onFailed: () => void;
};

/** Looks for barcodes in the picture of a video while `active` is true. */
export function useDecoding({ video, active, onCode, onFailed }: Options): void {
  const scanned = useEffectEvent(onCode);
  const failed = useEffectEvent(onFailed);
  useEffect(() => {
    if (!active) return;
    const detector = createCodeDetector();
    const look = createViewfinder();
    let stopped = false;

    async function decodeNext(element: HTMLVideoElement): Promise<void> {
      // A camera that is just starting or stopping has no picture.
      const picture = await visiblePicture(element).catch(() => null);
      if (!picture) return;
      const codes = await detector.detect(picture);
      if (stopped) return;
      const code = look(codes, performance.now());
      if (code !== null) scanned(code);
    }

    async function decodeAll(): Promise<void> {
      while (!stopped) {
        const startedAt = performance.now();
        const { current } = video;
        if (current && current.readyState >= current.HAVE_CURRENT_DATA) await decodeNext(current);
        await new Promise((resolve) => setTimeout(resolve, startedAt + MIN_INTERVAL_MS - performance.now()));
      }
    }

    decodeAll().catch((problem) => {
      if (stopped) return;
      console.error(problem);
      failed();
    });
    return () => {
      stopped = true;
      detector.close();
    };
  }, [active, video]);
}

/** Returns the part of the current picture that is on screen: the video fills its box and is cut at the edges. */
function visiblePicture(video: HTMLVideoElement): Promise<ImageBitmap> {
  const { videoWidth, videoHeight, clientWidth, clientHeight } = video;
  const scale = Math.max(clientWidth / videoWidth, clientHeight / videoHeight) || 1;
  const width = Math.min(videoWidth, Math.round(clientWidth / scale) || videoWidth);
  const height = Math.min(videoHeight, Math.round(clientHeight / scale) || videoHeight);
  return createImageBitmap(video, (videoWidth - width) / 2, (videoHeight - height) / 2, width, height);
}
