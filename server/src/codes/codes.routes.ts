import { findCode } from '@perfume/contract/codes';
import { toWire } from '@perfume/contract/wire-item';
import { codeKey } from '@perfume/domain/codes';
import { isSafeText } from '@perfume/domain/safe-text';
import type { FastifyInstance } from 'fastify';
import { dataVersionOf } from '../http/data-version.ts';
import { Problem } from '../http/problem.ts';
import { type Deps, sendCached, serve } from '../http/serve.ts';
import { findByCode } from '../items/item-codes.ts';

export function codeRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, cache } = deps;

  serve(app, deps, findCode, async ({ params, house, request, reply }) => {
    const key = codeKey(params.code);
    // PostgreSQL cannot store every text that a path can contain.
    if (!isSafeText(key)) throw new Problem('code_not_found');
    const found = await cache.getOrLoad(
      dataVersionOf(cache, request),
      `code ${house} ${key}`,
      async () => {
        const item = await findByCode(db.query, house, key);
        return item && { body: JSON.stringify(toWire(item)), etag: `"${item.version}-${item.lowAt}"` };
      },
      (answer) => answer?.body.length ?? 0,
    );
    if (!found) throw new Problem('code_not_found');
    request.rowsRead = 1;
    return sendCached(reply, request, found);
  });
}
