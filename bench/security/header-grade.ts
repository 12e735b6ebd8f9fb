/**
 * A response whose headers are graded by the public scoring rules of header scanners: a hundred points, minus points
 * for each weakness; bonus points count only from ninety points on. A+ needs a hundred points.
 */
export type Seen = { status: number; headers: Record<string, string | string[] | undefined>; body: string };
export type Grade = { score: number; grade: string; remarks: string[] };
type Rule = [points: number, remark: string] | null;

export function gradeOf(seen: Seen): Grade {
  const rules = [csp, frames, hsts, sniffing, referrer, cors, resource, cookies, scripts, banner]
    .map((judge) => judge(seen))
    .filter((judgement) => judgement !== null);
  const penalty = rules.filter(([points]) => points < 0).reduce((sum, [points]) => sum + points, 0);
  const bonus = rules.filter(([points]) => points > 0).reduce((sum, [points]) => sum + points, 0);
  const base = Math.max(0, 100 + penalty);
  const score = base >= 90 ? base + bonus : base;
  return { score, grade: letter(score), remarks: rules.map(([points, remark]) => `${points}: ${remark}`) };
}

const STEPS: [from: number, grade: string][] = [
  ...([
    [100, 'A+'],
    [90, 'A'],
    [85, 'A-'],
    [80, 'B+'],
    [70, 'B'],
    [65, 'B-'],
  ] as [number, string][]),
  ...([
    [60, 'C+'],
    [50, 'C'],
    [45, 'C-'],
    [40, 'D+'],
    [30, 'D'],
    [25, 'D-'],
    [0, 'F'],
  ] as [number, string][]),
];

function letter(score: number): string {
  return STEPS.find(([from]) => score >= from)?.[1] ?? 'F';
}

const one = ({ headers }: Seen, name: string) => [headers[name] ?? ''].flat().join(', ');

function policyOf(seen: Seen): Map<string, string[]> {
  const policy = new Map<string, string[]>();
  for (const part of one(seen, 'content-security-policy').split(';')) {
    const [name, ...sources] = part.trim().split(/\s+/);
    if (name && !policy.has(name)) policy.set(name, sources);
  }
  return policy;
}

/** The allowed sources of a kind of resource. If it has no directive of its own, `default-src` applies. */
function sourcesOf(policy: Map<string, string[]>, name: string): string[] {
  return policy.get(name) ?? policy.get('default-src') ?? ['*'];
}

function csp(seen: Seen): Rule {
  const policy = policyOf(seen);
  if (policy.size === 0) return [-25, 'no content security policy'];
  const scripts = sourcesOf(policy, 'script-src');
  const isOpen = (sources: string[]) => sources.some((source) => /^(?:\*|https?:|data:|blob:|ftp:)$/.test(source));
  if (scripts.includes("'unsafe-inline'") || isOpen(scripts) || isOpen(sourcesOf(policy, 'object-src')))
    return [-20, 'scripts from anywhere, or inline'];
  if (scripts.includes("'unsafe-eval'")) return [-10, 'scripts made from text'];
  const passive = ['img-src', 'media-src'].flatMap((name) => sourcesOf(policy, name));
  if (one(seen, 'strict-transport-security') && passive.includes('http:')) return [-10, 'pictures without https'];
  if (sourcesOf(policy, 'style-src').includes("'unsafe-inline'")) return [0, 'inline styles'];
  return policy.get('default-src')?.includes("'none'") ? [10, 'nothing but what is listed'] : [5, 'no unsafe source'];
}

function frames(seen: Seen): Rule {
  const ancestors = policyOf(seen).get('frame-ancestors');
  if (ancestors?.every((source) => source === "'none'" || source === "'self'")) return [5, 'no frames, by policy'];
  return /^(?:DENY|SAMEORIGIN)$/i.test(one(seen, 'x-frame-options')) ? [0, 'no frames'] : [-20, 'may be framed'];
}

const HALF_A_YEAR_S = 15_768_000;

function hsts(seen: Seen): Rule {
  const header = one(seen, 'strict-transport-security');
  const seconds = Number(/max-age=(\d+)/.exec(header)?.[1] ?? 0);
  if (seconds === 0) return [-20, 'no strict transport security'];
  if (seconds < HALF_A_YEAR_S) return [-10, 'strict transport security for too short a time'];
  return /includeSubDomains/i.test(header) && /preload/i.test(header)
    ? [5, 'fit for preloading']
    : [0, 'https for long'];
}

function sniffing(seen: Seen): Rule {
  return one(seen, 'x-content-type-options') === 'nosniff' ? null : [-5, 'types may be guessed'];
}

function referrer(seen: Seen): Rule {
  const value = one(seen, 'referrer-policy');
  if (/^(?:no-referrer|same-origin|strict-origin(?:-when-cross-origin)?)$/.test(value))
    return [5, 'tells no other site'];
  return value === '' ? [0, 'says nothing of referrers'] : [-5, 'tells other sites where people come from'];
}

function cors(seen: Seen): Rule {
  const origin = one(seen, 'access-control-allow-origin');
  if (origin === '') return null;
  return origin === '*' && one(seen, 'access-control-allow-credentials') !== 'true'
    ? [0, 'public']
    : [-50, 'open to any site'];
}

function resource(seen: Seen): Rule {
  const value = one(seen, 'cross-origin-resource-policy');
  if (value === 'same-origin' || value === 'same-site') return [10, 'resources for this site alone'];
  return value === 'cross-origin' ? [-5, 'resources for any site'] : null;
}

/** Rates every cookie, because any of them may be the session cookie. */
function cookies({ headers }: Seen): Rule {
  const set = [headers['set-cookie'] ?? []].flat();
  if (set.length === 0) return null;
  if (set.some((cookie) => !/;\s*secure/i.test(cookie))) return [-40, 'a cookie without Secure'];
  if (set.some((cookie) => !/;\s*httponly/i.test(cookie))) return [-30, 'a cookie that scripts can read'];
  return set.every((cookie) => /;\s*samesite=(?:lax|strict)/i.test(cookie))
    ? [5, 'cookies for this site']
    : [-20, 'a cookie for any site'];
}

function scripts({ body }: Seen): Rule {
  const foreign = [...body.matchAll(/<script[^>]+src=["']?(https?:)?\/\/[^>]*>/gi)];
  if (foreign.length === 0) return null;
  return foreign.every(([tag]) => tag.includes('integrity='))
    ? [5, 'scripts with a fingerprint']
    : [-50, 'scripts of others'];
}

function banner(seen: Seen): Rule {
  return one(seen, 'x-powered-by') || one(seen, 'server') ? [-5, 'tells what it is made of'] : null;
}
