import autocannon from 'autocannon';

export type RequestSpec = {
  method: 'GET' | 'PUT' | 'POST';
  path: string;
  headers?: Record<string, string>;
  body?: string;
};
export type Measured = {
  answered: number;
  perSecond: number;
  p50: number;
  p99: number;
  errors: number;
  examples: string[];
};

/** Runs one slice of load: `connections` clients, each of which sends its next request after a response. */
export async function load(
  url: string,
  connections: number,
  seconds: number,
  makeRequest: (n: number) => RequestSpec,
): Promise<Measured> {
  let sent = 0;
  const examples: string[] = [];
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    requests: [{ setupRequest: (request: object) => ({ ...request, ...makeRequest(sent++) }) as autocannon.Request }],
    setupClient(client) {
      client.on('body' as never, () => {});
      client.on('response', (status: number) => {
        if (status >= 400 && examples.length < 3) examples.push(String(status));
      });
    },
  });
  const seen = result['2xx'] + result.non2xx;
  return {
    answered: seen,
    perSecond: result['2xx'] / result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
    errors: seen === 0 ? 1 : (result.non2xx + result.errors) / seen,
    examples,
  };
}
