import type { Product } from './product.ts';
import { type Finding, run } from './tools.ts';

/** More than the requests that the server takes at the same time. */
const CONNECTIONS = 1_200;
/** How long a response may take. A longer wait counts as an outage. */
const TIMEOUT_MS = 2_000;

/** Attacks with slow headers, slow bodies and slow readers. Meanwhile the list is read every quarter of a second. */
export async function runSlow(product: Product, seconds: number): Promise<{ findings: Finding[]; lines: string[] }> {
  const { url } = product;
  const common = ['-c', String(CONNECTIONS), '-r', '200', '-l', String(seconds), '-p', '3'];
  const attacks: Record<string, string[]> = {
    'slow headers': ['-H', '-i', '5', '-x', '24', '-u', `${url}/`, ...common],
    'slow body': [
      '-B',
      '-i',
      '5',
      '-s',
      '8192',
      '-x',
      '10',
      '-t',
      'POST',
      '-f',
      'application/json',
      '-u',
      `${url}/login`,
      ...common,
    ],
    'slow read': ['-X', '-w', '1', '-y', '2', '-n', '5', '-z', '1', '-k', '3', '-u', `${url}/openapi.json`, ...common],
  };
  const findings: Finding[] = [];
  const lines: string[] = [];
  for (const [name, args] of Object.entries(attacks)) {
    const watch = watchList(url);
    const { output } = await run('slowhttptest', args, seconds + 60);
    const { requests, failed, worstMs } = await watch.stop();
    const isDown = /service available:\s+NO/i.test(strip(output)) || /denial of service|DoS detected/i.test(output);
    lines.push(`${name}: ${requests} reads meanwhile, ${failed} failed, slowest ${Math.round(worstMs)} ms`);
    const where = `${name}, ${CONNECTIONS} connections`;
    if (failed > 0)
      findings.push({ tool: 'slowhttptest', where, level: 'high', what: `${failed} of ${requests} reads failed` });
    if (isDown) findings.push({ tool: 'slowhttptest', where, level: 'high', what: 'the probe found no service' });
    if (requests === 0 || !/slowhttptest version|test finished|Exit status/i.test(output))
      findings.push({ tool: 'slowhttptest', where, level: 'unclear', what: output.slice(-200) });
  }
  return { findings, lines };
}

function watchList(url: string) {
  let stopped = false;
  let requests = 0;
  let failed = 0;
  let worstMs = 0;
  const done = (async () => {
    while (!stopped) {
      const startedAt = performance.now();
      const answer = await fetch(`${url}/inventory-items?limit=12`, {
        signal: AbortSignal.timeout(TIMEOUT_MS),
      }).catch(() => null);
      await answer?.arrayBuffer().catch(() => null);
      requests++;
      if (!answer?.ok) failed++;
      worstMs = Math.max(worstMs, performance.now() - startedAt);
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  })();
  return {
    async stop() {
      stopped = true;
      await done;
      return { requests, failed, worstMs };
    },
  };
}

function strip(text: string): string {
  return text.replace(/\u001b\[[0-9;]*[A-Za-z]/g, '');
}
