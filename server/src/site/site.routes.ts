import { brotliCompressSync, gzipSync, constants as zlib } from 'node:zlib';
import type { User } from '@perfume/contract/identity';
import { isPagePath, pagePaths } from '@perfume/contract/page-paths';
import { toPublicWire } from '@perfume/contract/wire-item';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { createCache } from '../db/core/cache.ts';
import { latestPosition } from '../db/core/changes.ts';
import { SHARED_HOUSE } from '../db/core/shared-house.ts';
import { eventId } from '../feed/feed.routes.ts';
import { loadAssets, sendAsset } from '../http/assets.ts';
import { dataVersionOf } from '../http/data-version.ts';
import { assetHeaders, pageHeaders } from '../http/headers.ts';
import { networkOf } from '../http/network.ts';
import { Problem } from '../http/problem.ts';
import { type Deps, requireBudget } from '../http/serve.ts';
import { cookieValue, isSecure } from '../identity/cookie.ts';
import { accountOf } from '../identity/identity.store.ts';
import { offeredProviders } from '../identity/providers.ts';
import { cursorText, type ListRequest, listItems } from '../items/items.list.ts';
import { findPublishedHouse, toPublicWireWithHouses } from '../items/published.store.ts';
import { type BuiltPages, builtPages } from './built-pages.ts';

const FIRST_ITEMS = 12;
const GZIP_FAST = { level: 3 };
const BROTLI_BALANCED = { params: { [zlib.BROTLI_PARAM_QUALITY]: 5 } };

type SiteDeps = Deps & { config: Config; webRoot: string; ownOrigin: () => string };
/**
 * The paths of the pages that are cached. Any other path contains an id or is not a page, so their number has no limit.
 */
const cachedPaths = new Set<string>(pagePaths.filter((path) => !path.includes(':')));
const HOUSE_PAGE = /^\/houses\/([^/]+)\/?$/;
type RenderedPage = { status: number; plain: Buffer; br: Buffer | null; gzip: Buffer | null };

/** Serves the built front end: its files, and its pages rendered on the server with the data they need. */
export function siteRoutes(app: FastifyInstance, deps: SiteDeps): void {
  const { config, db, cache, whoIs, ownOrigin } = deps;
  const isOpen = config.access === 'open';
  const assets = loadAssets(deps.webRoot);
  const shell = assets.get('/index.html')?.plain.toString() ?? null;
  const pages = builtPages(deps.webRoot);
  /** Pages have a cache of their own, because anyone can fill the other cache with searches. */
  const pageCache = createCache(db);
  const languageCookie = isSecure(config) ? '__Host-language' : 'language';
  const providers = offeredProviders(config);
  const site = {
    demo: config.demo,
    signUp: config.signUp,
    access: config.access,
    providers: providers.map(({ id }) => id),
    providerNames: Object.fromEntries(providers.map(({ id, name }) => [id, name])),
    contact: config.contact,
    tiles: config.mapTiles,
  };

  app.get('/sitemap.xml', async (_request, reply) => {
    const built = await pages();
    if (!built) throw new Problem('not_found');
    return reply.header('content-type', 'application/xml; charset=utf-8').send(built.sitemap(ownOrigin()));
  });

  app.get('/robots.txt', async (_request, reply) =>
    reply
      .header('content-type', 'text/plain; charset=utf-8')
      .send(`${assets.get('/robots.txt')?.plain ?? 'User-agent: *\n'}Sitemap: ${ownOrigin()}/sitemap.xml\n`),
  );

  app.get('/*', async (request, reply) => {
    const target = targetOf(request);
    // `GET *` and `GET http://…` are for proxies.
    if (!target.startsWith('/')) throw new Problem('not_found');
    const path = target.split('?', 1)[0] ?? '/';
    const asset = path === '/index.html' ? undefined : assets.get(path);
    if (asset) return sendAsset(asset, request, reply.headers(assetHeaders(path)));
    if (!shell || !(isPagePath(path) || wantsPage(request))) throw new Problem('not_found');
    const user = await whoIs.byCookie(request);
    request.asker = user?.id ?? networkOf(request.ip);
    const requireFewUnsent = () => requireBudget(deps.hasTooMuchUnsent(request.asker) ? 1 : null, reply);
    requireFewUnsent();
    const built = await pages();
    if (!built) throw new Problem('unavailable');
    const language = built.languageOf(cookieValue(request.headers.cookie, languageCookie) ?? undefined);
    const draw = () => render(built, { shell, target, user, language });
    // Visitors share a cached page until something changes; logged-in people get their own page. URLs with a query are
    // never cached, because their number has no limit and they may contain a secret.
    const page =
      user === null && cachedPaths.has(target)
        ? await pageCache.getOrLoad(
            dataVersionOf(cache, request),
            `${language} ${target}`,
            draw,
            ({ plain }) => plain.length,
          )
        : await deps.limitReads(request.asker, async () => {
            await new Promise(setImmediate);
            // Nobody waits for this page any more.
            if (reply.raw.destroyed) throw new Problem('too_many');
            // The pages that this one waited for may be large, and nobody may have read them.
            requireFewUnsent();
            return draw();
          });
    // The page of a logged-in person contains their name and address.
    reply.headers(pageHeaders).header('cache-control', user ? 'no-store' : 'no-cache');
    return sendPage(page, request, reply);
  });

  async function render(
    built: BuiltPages,
    { shell, target, user, language }: { shell: string; target: string; user: User | null; language: string },
  ): Promise<RenderedPage> {
    // The target is appended to our origin, not resolved against it: `//x` is a path, never the host x.
    const origin = ownOrigin();
    const { pathname, search, searchParams } = new URL(origin + target);
    // Read first, so that the feed repeats whatever happens from here on.
    const feed = user && eventId(await latestPosition(db));
    const slug = HOUSE_PAGE.exec(pathname)?.[1];
    const house = slug === undefined || isOpen ? null : await findPublishedHouse(db.query, slug);
    const items = searchParams.get('q')
      ? null
      : pathname === '/'
        ? await firstItems(isOpen ? SHARED_HOUSE : 'published')
        : house && (await firstItems(house.num));
    const boot = {
      ...site,
      user: user && (await accountOf(deps, user)),
      feed,
      items,
      house: slug === undefined ? null : { pathname, found: house && { name: house.name, slug: house.slug } },
    };
    const plain = Buffer.from(await built.render({ shell, pathname, search, origin, language, boot }));
    const status = isPagePath(pathname) && (slug === undefined || house) ? 200 : 404;
    return {
      status,
      plain,
      br: user ? null : brotliCompressSync(plain, BROTLI_BALANCED),
      gzip: gzipSync(plain, GZIP_FAST),
    };
  }

  async function firstItems(house: ListRequest['house']) {
    const everything = { sort: 'newest', after: null, skip: 0, q: null, stock: null, emailKey: null } as const;
    const { items, total, next } = await listItems(db, { ...everything, house, limit: FIRST_ITEMS });
    const list = isOpen ? items.map(toPublicWire) : await toPublicWireWithHouses(db.query, items);
    return { list, total, next: next && cursorText(next) };
  }
}

/** The path and query of a request. A client that uses a proxy sends an absolute URL, whose beginning is removed. */
function targetOf(request: FastifyRequest): string {
  return request.url.replace(/^https?:\/\/.*?\//, '/');
}

function sendPage(page: RenderedPage, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const accepted = String(request.headers['accept-encoding'] ?? '');
  reply.code(page.status).header('content-type', 'text/html; charset=utf-8').header('vary', 'Cookie, Accept-Encoding');
  if (page.br && /\bbr\b/.test(accepted)) return reply.header('content-encoding', 'br').send(page.br);
  if (page.gzip && /\bgzip\b/.test(accepted)) return reply.header('content-encoding', 'gzip').send(page.gzip);
  return reply.send(page.plain);
}

/**
 * Whether the browser is opening a page: only then does it accept HTML. A missing script, style sheet or picture must
 * not get a page.
 */
function wantsPage(request: FastifyRequest): boolean {
  return String(request.headers.accept ?? '').includes('text/html');
}
