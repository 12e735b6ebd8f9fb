import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Problem } from './problem.ts';

const BUCKETS_MS = [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500];
const LOOPBACK = /^(?:127\.|::1$|::ffff:127\.)/;

type Series = { count: number; sumMs: number; buckets: number[] };

/** Prometheus' text format, for someone on this machine and nobody behind a proxy. */
export function metricsRoute(app: FastifyInstance, gauges: Record<string, () => number>): void {
  const series = new Map<string, Series>();

  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none';
    const key = `method="${request.method}",route="${route}",status="${reply.statusCode}"`;
    let entry = series.get(key);
    if (!entry) {
      entry = { count: 0, sumMs: 0, buckets: BUCKETS_MS.map(() => 0) };
      series.set(key, entry);
    }
    const ms = reply.elapsedTime;
    entry.count++;
    entry.sumMs += ms;
    for (let index = BUCKETS_MS.length - 1; index >= 0 && ms <= (BUCKETS_MS[index] ?? 0); index--) {
      entry.buckets[index] = (entry.buckets[index] ?? 0) + 1;
    }
    done();
  });

  app.get('/metrics', async (request, reply) => {
    if (!isLocal(request)) throw new Problem('not_found');
    return reply
      .header('content-type', 'text/plain; version=0.0.4; charset=utf-8')
      .header('cache-control', 'no-store')
      .send(render());
  });

  function render(): string {
    const lines = ['# TYPE http_request_duration_seconds histogram'];
    for (const [key, { count, sumMs, buckets }] of series) {
      for (const [index, below] of BUCKETS_MS.entries()) {
        lines.push(`http_request_duration_seconds_bucket{${key},le="${below / 1_000}"} ${buckets[index]}`);
      }
      lines.push(`http_request_duration_seconds_bucket{${key},le="+Inf"} ${count}`);
      lines.push(`http_request_duration_seconds_sum{${key}} ${sumMs / 1_000}`);
      lines.push(`http_request_duration_seconds_count{${key}} ${count}`);
    }
    const { rss, heapUsed } = process.memoryUsage();
    const all = {
      ...gauges,
      process_resident_memory_bytes: () => rss,
      nodejs_heap_used_bytes: () => heapUsed,
      process_uptime_seconds: () => process.uptime(),
    };
    for (const [name, read] of Object.entries(all)) lines.push(`# TYPE ${name} gauge`, `${name} ${read()}`);
    return `${lines.join('\n')}\n`;
  }
}

function isLocal(request: FastifyRequest): boolean {
  const { headers, raw } = request;
  const forwarded = headers['x-forwarded-for'] ?? headers.forwarded ?? headers.via;
  return forwarded === undefined && LOOPBACK.test(raw.socket.remoteAddress ?? '');
}
