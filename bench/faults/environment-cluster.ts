import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { type Environment, type InjectFault, select } from './environment.ts';
import { signalAll } from './processes.ts';
import type { Fault } from './schedule.ts';
import { openProxy } from './tcp-proxy.ts';

const ROOT = join(import.meta.dirname, '../..');
const SCRIPT = join(ROOT, 'deploy/cluster/cluster.sh');

/** Starts all of deploy/cluster: three nodes, etcd, HAProxy and two servers. Closing the environment stops it. */
export async function clusterEnvironment(): Promise<Environment> {
  await cluster('up');
  const settings = settingsOf(process.env.CLUSTER_DIR ?? join(ROOT, '.cluster'));
  const front = Number(new URL(settings.CLUSTER_URL ?? '').port);
  const proxy = await openProxy(front);
  return {
    proxies: [proxy],
    description: 'two servers behind HAProxy on three PostgreSQL nodes under Patroni, three etcd members',
    faults: {
      'server-kill': (fault) => kill('app', server(fault)),
      'server-freeze': (fault) => freeze('app', server(fault)),
      // Patroni restarts PostgreSQL, or another node takes over, so no repair is needed.
      'postgres-kill': async () => runAction('kill-postgres', await leader()),
      'postgres-freeze': async () => freeze('postgres', await leader()),
      'node-kill': async () => kill('node', await leader()),
      'node-freeze': async () => freeze('node', await leader()),
      'standby-kill': async ({ selector }) => kill('node', select(await standbys(), selector)),
      'machine-kill': async () => kill('machine', await leader()),
      'etcd-kill': ({ selector }) => kill('etcd', select(NODES, selector)),
      'etcd-freeze': ({ selector }) => freeze('etcd', select(NODES, selector)),
      'balancer-kill': () => kill('haproxy'),
      'switch-over': () => switchOver(front),
      'pool-exhausted': lockTable(settings.SUPERUSER_URL ?? ''),
    },
    waitForRecovery: () => waitForRedundancy(front),
    async close() {
      await proxy.close();
      await cluster('down');
    },
  };
}

const NODES = ['1', '2', '3'];
const server = ({ selector }: Fault) => select(['1', '2'], selector);

const run = promisify(execFile);

async function cluster(...args: string[]): Promise<string> {
  return (await run(SCRIPT, args, { env: { CLUSTER_BUILD: 'off', ...process.env } })).stdout.trim();
}

const leader = () => cluster('leader');

async function standbys(): Promise<string[]> {
  const primary = await leader();
  return NODES.filter((node) => node !== primary);
}

async function runAction(...verb: string[]): Promise<() => Promise<void>> {
  await cluster(...verb);
  return async () => {};
}

/**
 * Switches to another primary. Patroni refuses while there is no synchronous standby, which can happen for a moment on
 * a busy machine.
 */
async function switchOver(front: number): Promise<() => Promise<void>> {
  for (let tries = 1; ; tries++) {
    try {
      return await runAction('switchover');
    } catch (error) {
      if (tries === 5) throw error;
      await waitForRedundancy(front);
    }
  }
}

async function kill(part: string, ...selector: string[]): Promise<() => Promise<void>> {
  await cluster(`kill-${part}`, ...selector);
  return async () => void (await cluster(`start-${part}`, ...selector));
}

async function freeze(part: string, ...selector: string[]): Promise<() => Promise<void>> {
  const pids = await cluster(`pids-${part}`, ...selector);
  await cluster(`freeze-${part}`, ...selector);
  return async () => {
    // Uses the process ids, because after a failover the frozen processes are no longer those of the leader.
    signalAll(pids.split(' ').map(Number), 'SIGCONT');
  };
}

function lockTable(address: string): InjectFault {
  return async ({ size }) => {
    const client = new pg.Client({ connectionString: address });
    client.on('error', () => {});
    await client.connect();
    await client.query('begin');
    await client.query(`lock table ${size < 0.5 ? 'items' : 'answers'} in access exclusive mode`);
    return () => client.end();
  };
}

const POLL_MS = 500;
const RESTART_ETCD_AFTER_MS = 60_000;
const TIMEOUT_MS = 180_000;

/** Waits for a leader, a synchronous standby and a third running node. Only then is the next fault a single fault. */
async function waitForRedundancy(front: number): Promise<void> {
  const startedAt = performance.now();
  let hasRestarted = false;
  for (;;) {
    const members = await membersSeenBy(front + 21).catch(() => []);
    const roles = members.filter(({ state }) => state === 'running' || state === 'streaming').map(({ role }) => role);
    if (roles.length === NODES.length && roles.includes('leader') && roles.includes('sync_standby')) return;
    const waited = performance.now() - startedAt;
    if (waited > TIMEOUT_MS) throw new Error(`the cluster did not become whole: ${JSON.stringify(members)}`);
    if (waited > RESTART_ETCD_AFTER_MS && !hasRestarted) {
      hasRestarted = true;
      await restartEtcdMembers();
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/**
 * Restarts the etcd members, as docs/operating.md tells an operator to do: Patroni 3.0.2 may keep an outdated view of
 * etcd.
 */
async function restartEtcdMembers(): Promise<void> {
  console.log('No synchronous standby for a minute: the operator restarts the etcd members, one after the other.');
  for (const member of NODES) {
    await cluster('kill-etcd', member);
    await cluster('start-etcd', member);
    await new Promise((resolve) => setTimeout(resolve, 3_000));
  }
}

async function membersSeenBy(restPort: number): Promise<{ role: string; state: string }[]> {
  const answer = await fetch(`http://127.0.0.1:${restPort}/cluster`, { signal: AbortSignal.timeout(2_000) });
  return ((await answer.json()) as { members: { role: string; state: string }[] }).members;
}

function settingsOf(folder: string): Record<string, string> {
  const lines = readFileSync(join(folder, 'cluster.env'), 'utf8').split('\n');
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
}
