import autocannon from 'autocannon';
import type { RequestSpec } from './load.ts';

export type Times = { count: number; p50: number; p99: number };
/** The result of a load test. Responses are good (2xx), refused (503 or 429) or other (should never happen). */
export type LoadResult = { sent: number; seconds: number; good: Times; refused: Times; other: number; broken: number };
export type LoadOptions = {
  connections: number;
  seconds: number;
  makeRequest: (n: number) => RequestSpec;
  /**
   * How many requests are sent per second, whatever the responses are. If omitted, each client sends its next request
   * after a response.
   */
  perSecond?: number;
};

/** Sends requests from many clients and measures the response times of each kind of response. */
export async function runClients(
  url: string,
  { connections, seconds, makeRequest, perSecond }: LoadOptions,
): Promise<LoadResult> {
  const good: number[] = [];
  const refused: number[] = [];
  let [sent, other] = [0, 0];
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    timeout: 30,
    ...(perSecond === undefined ? {} : { overallRate: perSecond }),
    requests: [{ setupRequest: (request: object) => ({ ...request, ...makeRequest(sent++) }) as autocannon.Request }],
    setupClient(client) {
      client.on('response', (status: number, _bytes: number, ms: number) => {
        if (status >= 200 && status < 300) good.push(ms);
        else if (status === 503 || status === 429) refused.push(ms);
        else other++;
      });
    },
  });
  return { sent, seconds: result.duration, good: times(good), refused: times(refused), other, broken: result.errors };
}

export function times(all: number[]): Times {
  const sorted = all.toSorted((a, b) => a - b);
  const at = (part: number) => Math.round(sorted[Math.floor(sorted.length * part)] ?? 0);
  return { count: sorted.length, p50: at(0.5), p99: at(0.99) };
}
