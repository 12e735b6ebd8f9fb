import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';

type CameraProblem = 'insecure' | 'denied' | 'missing' | 'busy';

export type Camera =
  | { state: 'off' | 'starting' }
  | { state: 'on'; stream: MediaStream }
  | { state: 'failed'; problem: CameraProblem };

const wantedVideo: MediaTrackConstraints = {
  facingMode: 'environment',
  width: { ideal: 1280 },
  height: { ideal: 720 },
};

/** Opens the camera on the back of the device while `wanted` is true and the page is visible. `retry` tries again. */
export function useCamera(wanted: boolean): { camera: Camera; retry: () => void } {
  const visible = useSyncExternalStore(subscribeToVisibility, () => document.visibilityState === 'visible');
  const [camera, setCamera] = useState<Camera>({ state: 'off' });
  const [attempt, setAttempt] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt opens the camera again.
  useEffect(() => {
    if (!wanted || !visible) return;
    let stopped = false;
    let stream: MediaStream | null = null;
    const fail = (problem: CameraProblem) => !stopped && setCamera({ state: 'failed', problem });
    setCamera({ state: 'starting' });
    openCamera().then(
      (opened) => {
        if (stopped) return stopTracks(opened);
        stream = opened;
        for (const track of opened.getTracks()) track.addEventListener('ended', () => fail('busy'));
        setCamera({ state: 'on', stream: opened });
      },
      (problem) => fail(problemOf(problem)),
    );
    return () => {
      stopped = true;
      if (stream) stopTracks(stream);
      setCamera({ state: 'off' });
    };
  }, [wanted, visible, attempt]);

  return { camera, retry: useCallback(() => setAttempt((count) => count + 1), []) };
}

async function openCamera(): Promise<MediaStream> {
  // Over plain http, the browser has no `mediaDevices`.
  if (!navigator.mediaDevices) throw new DOMException('', isSecureContext ? 'NotFoundError' : 'SecurityError');
  return navigator.mediaDevices.getUserMedia({ video: wantedVideo, audio: false });
}

function problemOf(problem: unknown): CameraProblem {
  const name = problem instanceof DOMException ? problem.name : '';
  if (name === 'SecurityError') return 'insecure';
  if (name === 'NotAllowedError') return 'denied';
  return name === 'NotFoundError' || name === 'OverconstrainedError' ? 'missing' : 'busy';
}

/** Whether the person has allowed the camera before, so that it opens without a question. */
export async function isCameraAllowed(): Promise<boolean> {
  try {
    const { state } = await navigator.permissions.query({ name: 'camera' });
    return state === 'granted';
  } catch {
    // Some browsers do not know this permission, and plain http has none.
    return false;
  }
}

// The types of the browser's API lack the light.
type LightCapabilities = MediaTrackCapabilities & { torch?: boolean };

export function hasLight(stream: MediaStream): boolean {
  const [track] = stream.getVideoTracks();
  return (track?.getCapabilities?.() as LightCapabilities | undefined)?.torch === true;
}

export async function switchLight(stream: MediaStream, on: boolean): Promise<void> {
  const [track] = stream.getVideoTracks();
  await track?.applyConstraints({ advanced: [{ torch: on } as MediaTrackConstraintSet] });
}

function stopTracks(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}

function subscribeToVisibility(onChange: () => void): () => void {
  document.addEventListener('visibilitychange', onChange);
  return () => document.removeEventListener('visibilitychange', onChange);
}
