import { execFileSync, spawn, spawnSync } from 'node:child_process';

/** A finding of one tool at one place; `unclear` if it could not tell, which counts as a finding. */
export type Finding = { tool: string; where: string; level: 'high' | 'medium' | 'low' | 'unclear'; what: string };

/** Findings that are false positives, and why. */
const isExplained: { what: RegExp; where: RegExp; why: string }[] = [
  {
    what: /^Backup file/,
    where: /\/dashboard\/inventory\//,
    why: 'every id has the same page, which then says that there is no such item',
  },
  {
    what: /^Cross Site Request Forgery: Lack of anti CSRF token/,
    where: /\/(?:login|register|reset-password)$/,
    why: 'these forms are sent by script as JSON; what a form of another site posts is refused by its origin and its type (server/src/http/http.test.ts)',
  },
  {
    what: /X-XSS-Protection/,
    where: /./,
    why: 'browsers have dropped that filter, which opened holes of its own; the content security policy is what counts',
  },
];

export function explanationOf({ what, where }: Finding): string | null {
  return isExplained.find((one) => one.what.test(what) && one.where.test(where))?.why ?? null;
}

const DEBIAN = '/usr/bin/apt-get';

/** Installs missing tools from Debian, but only as root, so that no machine is changed without permission. */
export function installTools(tools: string[]): void {
  const missing = tools.filter((tool) => spawnSync('which', [tool]).status !== 0);
  if (missing.length === 0) return;
  if (process.getuid?.() !== 0) throw new Error(`${missing.join(', ')} missing: apt-get install ${missing.join(' ')}`);
  console.log(`installing ${missing.join(', ')} …`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  execFileSync(DEBIAN, ['install', '-y', '--no-install-recommends', ...missing], { env, stdio: 'inherit' });
}

/** Runs a program. Returns its output, whether it exited or was stopped after its time limit. */
export function run(file: string, args: string[], seconds: number): Promise<{ output: string; finished: boolean }> {
  return new Promise((resolve, reject) => {
    let output = '';
    let finished = true;
    const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    const end = () => child.kill('SIGKILL');
    process.once('exit', end);
    const timer = setTimeout(() => {
      finished = false;
      end();
    }, seconds * 1_000);
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output = (output + text).slice(-2_000_000);
      });
    child.once('error', reject);
    child.once('close', () => {
      clearTimeout(timer);
      process.off('exit', end);
      resolve({ output, finished });
    });
  });
}
