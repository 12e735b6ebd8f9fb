import { ApiProblem, callerHeaders, problemOf, reportRefused } from './client.ts';

/** A download without any progress for this long has failed. Its total time is not limited: a file may have any size. */
const NO_PROGRESS_MS = 30_000;

export type FetchOptions = { signal: AbortSignal; onBytes: (bytes: number) => void };

/** Fetches a file that the server makes while it sends it, and says how much has arrived. */
export async function fetchFile(url: string, { signal, onBytes }: FetchOptions): Promise<{ file: Blob; name: string }> {
  const stalled = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const restartTimer = () => {
    clearTimeout(timer);
    timer = setTimeout(() => stalled.abort(), NO_PROGRESS_MS);
  };
  try {
    restartTimer();
    const response = await fetch(url, {
      headers: callerHeaders(),
      credentials: 'same-origin',
      signal: AbortSignal.any([signal, stalled.signal]),
    });
    if (!response.ok) throw reportRefused(problemOf(response, await response.json().catch(() => undefined)));
    const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1];
    const reader = response.body?.getReader();
    // A captive portal, such as the login page of a hotel network, answers with a page.
    if (name === undefined || !reader) throw new ApiProblem('offline', 0);
    // Each part becomes a Blob, which the browser may keep on disk, so that a large file does not fill the memory.
    const parts: Blob[] = [];
    let bytes = 0;
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      restartTimer();
      parts.push(new Blob([part.value]));
      bytes += part.value.length;
      onBytes(bytes);
    }
    return { file: new Blob(parts, { type: response.headers.get('content-type') ?? '' }), name };
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw error instanceof ApiProblem ? error : new ApiProblem('offline', 0);
  } finally {
    clearTimeout(timer);
  }
}
