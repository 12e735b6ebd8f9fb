import type { Endpoint } from '@perfume/contract/endpoint';
import { endpoints } from '@perfume/contract/endpoints';
import { openVerificationLink, socialCallback } from '@perfume/contract/identity';
import { openApi } from '@perfume/contract/openapi';
import { pagePaths } from '@perfume/contract/page-paths';
import type { Schema } from './from-schema.ts';

/** A route of the server: what it accepts and what it may return. */
export type Route = {
  method: string;
  /** A path parameter is written `:name`. */
  path: string;
  query: Record<string, Schema>;
  neededQuery: string[];
  headers: string[];
  body: Schema | null;
  sends: readonly string[];
  /** Null for a route that is not in the API description: pages, files, probes, the demo's stand-ins. */
  endpoint: Endpoint | null;
  /** The statuses that the API description allows. */
  statuses: ReadonlySet<number>;
  /**
   * How often requests to this route are sent, relative to others at 100. Costly routes get fewer: each request costs
   * the server a tenth of a second of scrypt or Brotli.
   */
  share: number;
};

type Operation = {
  parameters: { in: string; name: string; required?: boolean; schema: Schema }[];
  requestBody?: { content: Record<string, { schema?: Schema }> };
  responses: Record<string, unknown>;
};

const COSTLY = /sign-(?:up|in)\/email|change-password|reset-password$|^\/uploads$/;
const described: readonly Endpoint[] = [...endpoints, openVerificationLink, socialCallback];
const { paths } = openApi(described, '0');

const apiRoutes = described.map((endpoint): Route => {
  const { method, path } = endpoint;
  const operation = paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()] as Operation;
  const query = operation.parameters.filter((parameter) => parameter.in === 'query');
  return {
    method,
    path,
    query: Object.fromEntries(query.map(({ name, schema }) => [name, schema])),
    neededQuery: query.filter(({ required }) => required).map(({ name }) => name),
    headers: Object.keys(endpoint.headers ?? {}),
    body: endpoint.body ? (operation.requestBody?.content['application/json']?.schema ?? null) : null,
    sends: endpoint.sends ?? [],
    endpoint,
    statuses: new Set(Object.keys(operation.responses).map(Number)),
    share: COSTLY.test(path) ? 20 : 100,
  };
});

const text: Schema = { type: 'string' };
const oauthQuery = Object.fromEntries(
  ['response_type', 'client_id', 'redirect_uri', 'state', 'name', 'email', 'verified', 'cancel'].map((n) => [n, text]),
);

const otherRoutes: Route[] = [
  ...['/healthz', '/readyz', '/metrics', '/openapi.json', '/docs', '/sitemap.xml', '/robots.txt'].map((path) =>
    plain('GET', path),
  ),
  plain('GET', '/uploads/:name'),
  plain('POST', '/demo/sign-in'),
  plain('GET', '/demo/outbox'),
  plain('GET', '/demo/demo.css'),
  plain('GET', '/demo/oauth/:provider/authorize', oauthQuery),
  plain('GET', '/demo/oauth/:provider/choose', oauthQuery),
  plain('POST', '/demo/oauth/:provider/token'),
  ...['userinfo', 'user', 'user/emails'].map((rest) => plain('GET', `/demo/oauth/:provider/${rest}`)),
  ...pagePaths.map((path) => plain('GET', path, { q: text, from: text, at: text, token: text, error: text }, 15)),
  plain('GET', '/assets/:file'),
];

export const routes: readonly Route[] = [...apiRoutes, ...otherRoutes];

function plain(method: string, path: string, query: Record<string, Schema> = {}, share = 30): Route {
  const nothing = { neededQuery: [], headers: [], body: null, sends: [], endpoint: null };
  return { method, path, query, ...nothing, statuses: new Set(), share };
}

/** The route that a request reaches if its path is taken as written, or null if only the router knows. */
export function routeOf(method: string, target: string): Route | null {
  const path = target.split(/[?#]/, 1)[0] ?? '';
  if (!/^(?:\/[A-Za-z0-9._~-]+)+$/.test(path)) return null;
  const given = path.split('/');
  return (
    apiRoutes.find((route) => {
      const wanted = route.path.split('/');
      return (
        route.method === method &&
        wanted.length === given.length &&
        wanted.every((part, at) => part.startsWith(':') || part === given[at])
      );
    }) ?? null
  );
}
