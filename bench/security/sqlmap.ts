import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { valueFor } from '../fuzz/from-schema.ts';
import { knownRows, valuesFrom } from '../fuzz/known-rows.ts';
import { randomOf } from '../fuzz/random.ts';
import { type Route, routes } from '../fuzz/routes.ts';
import type { Product } from './product.ts';
import { type Finding, run } from './tools.ts';

const SECONDS_A_ROUTE = 240;
/** sqlmap replaces this mark with its payloads. */
const HERE = '*';

/** Runs sqlmap on every parameter of every route: path, query, body, and the headers we read. */
export async function runSqlmap(product: Product, level: number): Promise<{ findings: Finding[]; tested: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'perfume-sqlmap-'));
  const rows = await knownRows(product.url, product.person);
  const findings: Finding[] = [];
  let tested = 0;
  const waiting = routes.filter((route) => route.endpoint && route.endpoint.path !== '/events' && hasParameters(route));
  try {
    const hands = Array.from({ length: 2 }, async () => {
      for (let route = waiting.shift(); route; route = waiting.shift()) {
        const where = `${route.method} ${route.path}`;
        const { text, count } = requestTo(route, product, rows);
        const file = join(folder, `${route.method}${route.path.replace(/\W+/g, '-')}.txt`);
        writeFileSync(file, text);
        const result = await run('sqlmap', options(file, join(folder, 'out'), level), SECONDS_A_ROUTE);
        findings.push(...read(where, result));
        tested += count;
        console.log(`  ${where}: ${count} parameters`);
      }
    });
    await Promise.all(hands);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return { findings, tested };
}

function options(request: string, output: string, level: number): string[] {
  return [
    ...['-r', request, '--output-dir', output, '--level', String(level), '--risk', '1'],
    ...[
      '--batch',
      '--ignore-stdin',
      '--flush-session',
      '--disable-coloring',
      '--threads',
      '4',
      '--timeout',
      '10',
      '--retries',
      '1',
    ],
    // Most requests are refused. sqlmap compares refusals like any other response.
    ...['--ignore-code', '*', '--time-sec', '3', '--skip-waf', '--answers', 'redirect=N,follow=N,reduce=Y'],
  ];
}

function read(where: string, { output, finished }: { output: string; finished: boolean }): Finding[] {
  const found = [...output.matchAll(/^Parameter: (.+)\n\s+Type: (.+)$/gm)];
  if (found.length > 0)
    return found.map(([, parameter, type]) => ({
      tool: 'sqlmap',
      where,
      level: 'high',
      what: `${parameter}: ${type}`,
    }));
  if (/all tested parameters do not appear to be injectable/.test(output)) return [];
  const what = finished ? (/\[(?:CRITICAL|ERROR)\] (.+)/.exec(output)?.[1] ?? output.slice(-200)) : 'not done in time';
  return [{ tool: 'sqlmap', where, level: 'unclear', what }];
}

function hasParameters(route: Route): boolean {
  return (
    route.path.includes(':') || Object.keys(route.query).length > 0 || route.body !== null || route.headers.length > 0
  );
}

function requestTo(route: Route, { url, person }: Product, rows: Awaited<ReturnType<typeof knownRows>>) {
  const random = randomOf(1, 1);
  const known = valuesFrom(rows, route.path, person);
  let count = 0;
  const marked = (value: unknown) => {
    count++;
    return `${String(value)}${HERE}`;
  };
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => marked(known(name, random) ?? 'github'));
  const query = Object.entries(route.query).map(
    ([name, schema]) => `${name}=${marked(encodeURIComponent(String(valueFor(schema, name, random, known))))}`,
  );
  const body = route.body ? JSON.stringify(markAll(valueFor(whole(route.body), '', random, known), marked)) : null;
  const headers: Record<string, string> = {
    Host: new URL(url).host,
    ...(route.endpoint?.who === 'bearer'
      ? { Authorization: `Bearer ${person.token}` }
      : route.endpoint?.who === 'anyone'
        ? {}
        : { Cookie: person.cookie }),
    ...Object.fromEntries(route.headers.map((name) => [name, marked(headerValues[name] ?? '1')])),
    ...(body ? { 'Content-Type': 'application/json' } : {}),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const target = query.length > 0 ? `${path}?${query.join('&')}` : path;
  return { text: `${route.method} ${target} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body ?? ''}`, count };
}

const headerValues: Record<string, string> = {
  'idempotency-key': '6f9619ff-8b86-4d01-b42d-00cf4fc964ff',
  'stock-base': '5',
  'if-match': '"1"',
};

/** A schema that requires all fields, including optional ones. */
function whole(schema: NonNullable<Route['body']>): NonNullable<Route['body']> {
  const properties = schema.properties ?? {};
  return {
    ...schema,
    ...(schema.properties ? { required: Object.keys(properties) } : {}),
    properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, whole(one)])),
  };
}

function markAll(value: unknown, marked: (value: unknown) => string): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map((one) => markAll(one, marked));
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, markAll(one, marked)]));
  return marked(value);
}
