import scalar from '@scalar/fastify-api-reference';
import Fastify from 'fastify';
import type { Plugin } from 'vite';

/** Puts Scalar's viewer among the built files: the server's /docs loads it from our own host. */
export function apiReference(): Plugin {
  return {
    name: 'api-reference',
    apply: 'build',
    async buildStart() {
      if (this.environment.name !== 'client') return;
      this.emitFile({ type: 'asset', name: 'api-reference.js', source: await viewer() });
    },
  };
}

/** The package offers its browser bundle only as a route of its Fastify plugin. */
async function viewer(): Promise<string> {
  const app = Fastify();
  await app.register(scalar, { routePrefix: '/docs', configuration: { url: '/openapi.json' } });
  const { statusCode, body } = await app.inject('/docs/js/scalar.js');
  if (statusCode !== 200) throw new Error(`Scalar's bundle is no longer at /docs/js/scalar.js (${statusCode})`);
  return body.replace(/\n\/\/# sourceMappingURL=.*\s*$/, '');
}
