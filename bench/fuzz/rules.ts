import { type ProblemCode, problems } from '@perfume/contract/problems';
import { type Route, routeOf } from './routes.ts';
import type { Answer, Outcome, RawRequest } from './wire.ts';

/** Problem codes of requests that are refused before routing. They are possible on every route. */
const BEFORE_ROUTING: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  'malformed',
  'not_found',
  'method_not_allowed',
  'not_json',
  'too_large',
  'headers_too_large',
  'cross_site',
]);
const PROBLEM_FIELDS = new Set(['type', 'title', 'status', 'code', 'detail', 'requestId', 'message']);
const PROBLEM_EXTRAS = new Set(['fields', 'fieldCodes', 'onHand', 'role', 'item']);

/** What is wrong with a response, in one sentence; null if nothing is. */
export function faultIn(request: RawRequest, outcome: Outcome): string | null {
  if (!outcome.ok) return outcome.reason;
  const { answer } = outcome;
  if (answer.status >= 500) return `status ${answer.status}: ${answer.body.slice(0, 300)}`;
  return missingHeader(request, answer) ?? faultInBody(request, answer, routeOf(request.method, request.target));
}

/** `maxParamLength` of the server's router. */
const MAX_PARAM_LENGTH = 200;

function missingHeader({ target }: RawRequest, { headers }: Answer): string | null {
  const policy = headers['content-security-policy'] ?? '';
  // The viewer of the API reference needs inline styles.
  const strict = isApiReference(target) ? policy.replace("style-src 'unsafe-inline'", '') : policy;
  if (!policy.includes("frame-ancestors 'none'")) return 'no content-security-policy of ours';
  if (/unsafe-|\*/.test(strict)) return `a weak content-security-policy: ${policy}`;
  if (headers['x-content-type-options'] !== 'nosniff') return 'no nosniff';
  if (headers['referrer-policy'] !== 'no-referrer') return 'no referrer-policy';
  if (headers['x-powered-by'] ?? headers.server) return 'tells what it is made of';
  return null;
}

/** Whether the target is /docs, however it is written: `/doc%73` is the same page. */
function isApiReference(target: string): boolean {
  try {
    return /^\/docs\/?$/.test(decodeURIComponent(new URL(target, 'http://localhost').pathname));
  } catch {
    return false;
  }
}

function faultInBody(request: RawRequest, answer: Answer, route: Route | null): string | null {
  if (request.method === 'HEAD' || answer.status === 304 || answer.status === 204) return null;
  const type = answer.headers['content-type'] ?? '';
  if (answer.status >= 400) {
    // A missing page gets an HTML page that says so. A part of a path that is longer than the router reads is one, too.
    const isTooLong = request.target.split('/').some((part) => part.length > MAX_PARAM_LENGTH);
    if (type.startsWith('text/html') && (!route || isTooLong)) return null;
    return faultInProblem(answer, type, route);
  }
  if (!route?.endpoint) return null;
  const schema = route.endpoint.replies[answer.status];
  if (!schema) return `status ${answer.status} is not in the contract`;
  if (answer.status >= 300) return faultInRedirect(answer);
  const { gives } = route.endpoint;
  if (gives) return gives.some((one) => type.startsWith(one)) ? null : `the body is ${type}`;
  const body = parsed(answer.body);
  if (body === undefined) return 'the body is no JSON';
  const checked = schema.safeParse(body);
  return checked.success ? null : `the body does not fit its schema: ${JSON.stringify(checked.error.issues[0])}`;
}

function faultInProblem(answer: Answer, type: string, route: Route | null): string | null {
  if (!type.startsWith('application/problem+json')) return `an error as ${type || 'nothing'}: ${answer.body}`;
  const body = parsed(answer.body) as Record<string, unknown> | undefined;
  if (!body) return 'the problem is no JSON';
  const code = body.code as ProblemCode;
  if (!Object.hasOwn(problems, code)) return `a problem nobody knows: ${String(code)}`;
  if (problems[code].status !== answer.status) return `${code} with status ${answer.status}`;
  if (body.status !== answer.status) return `a problem that says ${String(body.status)} with status ${answer.status}`;
  for (const name of Object.keys(body)) {
    if (!PROBLEM_FIELDS.has(name) && !PROBLEM_EXTRAS.has(name)) return `a problem with ${name}`;
  }
  if (/\bat .*\.[jt]s:\d|node_modules|select .* from|sqlite|postgres|ECONN/i.test(JSON.stringify(body.detail)))
    return `a problem that tells too much: ${String(body.detail)}`;
  if (answer.headers['cache-control'] !== 'no-store') return 'a problem that a cache may keep';
  if (!route || BEFORE_ROUTING.has(code)) return null;
  return route.statuses.has(answer.status) ? null : `${answer.status} ${code} is not documented for this route`;
}

/** What is wrong with a redirect: it may only lead to our own pages or to the stand-in for a provider. */
function faultInRedirect({ headers }: Answer): string | null {
  const { location } = headers;
  return location !== undefined && /^\/(?![/\\])[\x21-\x7e]*$/.test(location) ? null : `a redirect to ${location}`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
