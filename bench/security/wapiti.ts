import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pagePaths } from '@perfume/contract/page-paths';
import { routes } from '../fuzz/routes.ts';
import type { Product } from './product.ts';
import { type Finding, run } from './tools.ts';

/** All modules except `nikto` and `wapp`, which download lists: nothing here may leave this machine. */
const MODULES =
  'backup,blindsql,brute_login_form,buster,cookieflags,crlf,csp,csrf,exec,file,htaccess,http_headers,methods,permanentxss,redirect,shellshock,sql,ssrf,xss,xxe';
const LEVELS = { 1: 'low', 2: 'medium', 3: 'high' } as const;

type Found = { level: keyof typeof LEVELS; path: string; info: string; parameter: string };

/** Runs wapiti once anonymously and once logged in, on every page and every readable URL of the API. */
export async function runWapiti(product: Product, seconds: number): Promise<Finding[]> {
  const trap = await startTrap();
  const folder = mkdtempSync(join(tmpdir(), 'perfume-wapiti-'));
  try {
    const findings: Finding[] = [];
    for (const who of ['nobody', 'signed in'] as const) {
      const report = join(folder, `${who.replace(' ', '-')}.json`);
      const { output } = await run(
        'wapiti',
        options(product, who, trap.url, folder, report, seconds),
        seconds * 6 + 60,
      );
      findings.push(...read(who, report, output));
    }
    if (trap.calls.length > 0)
      findings.push({ tool: 'wapiti', where: 'ssrf', level: 'high', what: `the server called ${trap.calls[0]}` });
    return findings;
  } finally {
    trap.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function options(
  product: Product,
  who: string,
  trap: string,
  folder: string,
  report: string,
  seconds: number,
): string[] {
  const { url, person, itemIds } = product;
  const id = itemIds[0] ?? '';
  const pages = pagePaths.map((path) => path.replace(':id', id));
  const reads = routes
    .filter(({ method, path, endpoint }) => endpoint && method === 'GET' && path !== '/events')
    .map(({ path, query }) => {
      const names = Object.keys(query).map((name) => `${name}=1`);
      return `${path.replace(':id', id).replace(':provider', 'github')}${names.length > 0 ? `?${names.join('&')}` : ''}`;
    });
  return [
    ...['-u', `${url}/`, '--scope', 'domain', '-m', MODULES, '-f', 'json', '-o', report, '--store-session', folder],
    ...[...new Set([...pages, ...reads])].flatMap((path) => ['-s', `${url}${path}`]),
    ...['--flush-session', '--no-bugreport', '--endpoint', trap, '--level', '1', '-S', 'normal', '-t', '10'],
    ...[
      '--max-scan-time',
      String(seconds),
      '--max-attack-time',
      String(seconds / 4),
      '--max-links-per-page',
      '50',
      '-d',
      '3',
    ],
    ...(who === 'signed in' ? ['-H', `Cookie: ${person.cookie}`] : []),
  ];
}

function read(who: string, report: string, output: string): Finding[] {
  let text: string;
  try {
    text = readFileSync(report, 'utf8');
  } catch {
    return [{ tool: 'wapiti', where: who, level: 'unclear', what: output.slice(-300) }];
  }
  const { vulnerabilities, anomalies } = JSON.parse(text) as Record<string, Record<string, Found[]>>;
  return Object.entries({ ...vulnerabilities, ...anomalies }).flatMap(([kind, list]) =>
    list.map(({ level, path, info, parameter }) => ({
      tool: 'wapiti',
      where: `${who}: ${path}${parameter ? ` (${parameter})` : ''}`,
      level: LEVELS[level],
      what: `${kind}: ${info}`,
    })),
  );
}

/**
 * Starts the server that SSRF checks try to make the product call. Afterwards wapiti queries it for the calls it
 * received.
 */
async function startTrap() {
  const calls: string[] = [];
  const server = createServer((request, response) => {
    // Wapiti's own query for results is not a call by the product.
    if (!request.url?.includes('get_')) calls.push(request.url ?? '');
    response.setHeader('content-type', 'application/json').end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return { calls, url: `http://127.0.0.1:${port}/`, close: () => server.close() };
}
