import scalar from '@scalar/fastify-api-reference';
import Fastify from 'fastify';
import type { Plugin } from 'vite';

/** Adds Scalar's API viewer to the built files, so that the server's /docs page loads it from our own host. */
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

/** Returns the viewer's browser bundle, which Scalar's package offers only as a route of its Fastify plugin. */
async function viewer(): Promise<string> {
  const app = Fastify();
  await app.register(scalar, { routePrefix: '/docs', configuration: { url: '/openapi.json' } });
  const { statusCode, body } = await app.inject('/docs/js/scalar.js');
  if (statusCode !== 200) throw new Error(`Scalar's bundle is no longer at /docs/js/scalar.js (${statusCode})`);
  return body.replace(/\n\/\/# sourceMappingURL=.*\s*$/, '');
}
