import { toPublicWire } from '@perfume/contract/items';
import { isPagePath } from '@perfume/contract/pages';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { loadAssets, sendAsset } from '../http/assets.ts';
import { pageHeaders } from '../http/headers.ts';
import { Problem } from '../http/problem.ts';
import type { Deps } from '../http/serve.ts';
import { cursorText, listItems } from '../items/items.list.ts';
import { jsonForHtml } from './html.ts';
import { headOf } from './page-head.ts';

const FIRST_ITEMS = 12;

/** The built front end: its files as they are, and its one page with what that page needs to paint at once. */
export function siteRoutes(app: FastifyInstance, deps: Deps & { config: Config; webRoot: string }): void {
  const assets = loadAssets(deps.webRoot);
  const shell = assets.get('/index.html')?.plain.toString() ?? null;

  app.get('/*', async (request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '/';
    const asset = path === '/index.html' ? undefined : assets.get(path);
    if (asset) return sendAsset(asset, request, reply);
    const known = isPagePath(path);
    if (!shell || (!known && !wantsPage(request))) throw new Problem('not_found');
    return sendPage(shell, path, known, request, reply);
  });

  async function sendPage(shell: string, path: string, known: boolean, request: FastifyRequest, reply: FastifyReply) {
    const user = await deps.whoIs.byCookie(request);
    const isSearch = request.url.includes('?');
    const items = path === '/' && !isSearch ? await firstItems() : null;
    const boot = {
      user: user && {
        id: user.id,
        email: user.email,
        name: user.name,
        image: user.image,
        emailVerified: user.emailVerified,
      },
      items,
      demo: deps.config.demo,
      providers: [],
    };
    reply
      .code(known ? 200 : 404)
      .headers(pageHeaders)
      .header('content-type', 'text/html; charset=utf-8')
      .header('cache-control', user ? 'private, no-cache' : 'no-cache')
      .header('vary', 'Cookie');
    return reply.send(
      shell
        .replace('<!--head-->', () => headOf(path, known, ownAddress(request), items?.list ?? []))
        .replace('<!--boot-->', () => `<script type="application/json" id="boot">${jsonForHtml(boot)}</script>`),
    );
  }

  async function firstItems() {
    const page = await listItems(deps.db, {
      limit: FIRST_ITEMS,
      sort: 'newest',
      after: null,
      q: null,
      stock: null,
      emailKey: null,
    });
    return { list: page.items.map(toPublicWire), total: page.total, next: page.next && cursorText(page.next) };
  }

  /** For canonical links: the configured address, never one that a stranger put into a header. */
  function ownAddress(request: FastifyRequest): string {
    if (deps.config.publicUrl) return deps.config.publicUrl;
    return `http://${deps.config.host}:${request.socket.localPort ?? deps.config.port}`;
  }
}

/** Browsers that go to a page ask for HTML first; scripts, styles and pictures that are missing must not get one. */
function wantsPage(request: FastifyRequest): boolean {
  return String(request.headers.accept ?? '').includes('text/html');
}
