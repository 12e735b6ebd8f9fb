import { ApiProblem, callerHeaders, problemOf, reportRefused } from './client.ts';

/**
 * An upload without any progress for this long has failed. Its total time is not limited: a large file may take
 * minutes.
 */
const NO_PROGRESS_MS = 20_000;
/** How long the server may work on a file once it has all of it. */
const ANSWER_MS = 60_000;

export type SendOptions = { signal: AbortSignal; onSent: (fraction: number) => void };

/** Sends a file with XMLHttpRequest, because fetch does not report progress. Returns the body of the answer. */
export function sendFile(url: string, body: Blob, type: string, { signal, onSent }: SendOptions): Promise<unknown> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const request = new XMLHttpRequest();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const restartTimer = (ms = NO_PROGRESS_MS) => {
      clearTimeout(timer);
      timer = setTimeout(() => request.abort(), ms);
    };
    request.upload.onprogress = ({ loaded, total }) => {
      restartTimer();
      onSent(total > 0 ? loaded / total : 0);
    };
    request.upload.onload = () => restartTimer(ANSWER_MS);
    request.onloadend = () => clearTimeout(timer);
    request.onload = () => {
      const answer = parsed(request.responseText);
      if (request.status === 201) return resolve(answer);
      const headers = new Headers({ 'retry-after': request.getResponseHeader('retry-after') ?? '' });
      reject(reportRefused(problemOf({ status: request.status, headers }, answer)));
    };
    request.onerror = () => reject(new ApiProblem('offline', 0));
    request.onabort = () => reject(signal.aborted ? signal.reason : new ApiProblem('offline', 0));
    signal.addEventListener('abort', () => request.abort());
    request.open('POST', url);
    request.setRequestHeader('content-type', type);
    request.setRequestHeader('accept', 'application/json');
    for (const [name, value] of Object.entries(callerHeaders())) request.setRequestHeader(name, value);
    request.send(body);
    restartTimer();
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
