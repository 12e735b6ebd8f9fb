import autocannon from 'autocannon';
import type { Asked } from './load.ts';

export type Times = { count: number; p50: number; p99: number };
/** Good: 2xx. Refused: 503 or 429. Other: anything that should never happen. */
export type Answers = { asked: number; seconds: number; good: Times; refused: Times; other: number; broken: number };
export type Crowd = {
  connections: number;
  seconds: number;
  ask: (n: number) => Asked;
  /** Requests per second whatever comes back; without it, each client sends again after a response. */
  aSecond?: number;
};

/** Clients, and the response times of each kind of response. */
export async function crowd(url: string, { connections, seconds, ask, aSecond }: Crowd): Promise<Answers> {
  const good: number[] = [];
  const refused: number[] = [];
  let [asked, other] = [0, 0];
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    timeout: 30,
    ...(aSecond === undefined ? {} : { overallRate: aSecond }),
    requests: [{ setupRequest: (request: object) => ({ ...request, ...ask(asked++) }) as autocannon.Request }],
    setupClient(client) {
      client.on('response', (status: number, _bytes: number, ms: number) => {
        if (status >= 200 && status < 300) good.push(ms);
        else if (status === 503 || status === 429) refused.push(ms);
        else other++;
      });
    },
  });
  return { asked, seconds: result.duration, good: times(good), refused: times(refused), other, broken: result.errors };
}

export function times(all: number[]): Times {
  const sorted = all.toSorted((a, b) => a - b);
  const at = (part: number) => Math.round(sorted[Math.floor(sorted.length * part)] ?? 0);
  return { count: sorted.length, p50: at(0.5), p99: at(0.99) };
}
