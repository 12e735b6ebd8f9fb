import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Gauge, Histogram, Registry } from 'prom-client';
import { Problem } from './problem.ts';
import type { OnRequestEnd } from './request-end.ts';

const LOOPBACK = /^(?:127\.|::1$|::ffff:127\.)/;

const processGauges = {
  process_resident_memory_bytes: () => process.memoryUsage.rss(),
  nodejs_heap_used_bytes: () => process.memoryUsage().heapUsed,
  process_uptime_seconds: () => process.uptime(),
};

/**
 * Serves metrics in the text format of Prometheus, only to clients on this machine that do not come through a proxy.
 */
export function metricsRoute(
  app: FastifyInstance,
  onRequestEnd: OnRequestEnd,
  gauges: Record<string, () => number>,
): void {
  const registry = new Registry();
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Duration of HTTP requests',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers: [registry],
  });
  for (const [name, read] of Object.entries({ ...gauges, ...processGauges })) {
    new Gauge({
      name,
      help: name.replaceAll('_', ' '),
      registers: [registry],
      collect() {
        this.set(read());
      },
    });
  }

  onRequestEnd((request, reply) => {
    const route = request.routeOptions.url ?? 'none';
    duration.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1_000);
  });

  app.get('/metrics', async (request, reply) => {
    if (!isLocal(request)) throw new Problem('not_found');
    return reply
      .header('content-type', registry.contentType)
      .header('cache-control', 'no-store')
      .send(await registry.metrics());
  });
}

function isLocal(request: FastifyRequest): boolean {
  const { headers, raw } = request;
  const forwarded = headers['x-forwarded-for'] ?? headers.forwarded ?? headers.via;
  return forwarded === undefined && LOOPBACK.test(raw.socket.remoteAddress ?? '');
}
