// npm run bench -- crash [--times 50]
// Kills the server under load with kill -9, repeatedly. After the restart every acknowledged change must be stored,
// none twice, and the ledger must add up.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Running, startOurs } from './servers.ts';
import { addItem, type Click, ledgerOf, newClick, onHand, send, signIn } from './shop.ts';

const OPENING = 1_000_000;

export type CrashReport = {
  kills: number;
  acknowledged: number;
  retried: number;
  lost: number;
  doubled: number;
  unexplained: number;
  unbalanced: number;
  slowestReadyMs: number;
};

export async function crashRepeatedly(times: number): Promise<CrashReport> {
  const folder = mkdtempSync(join(tmpdir(), 'perfume-crash-'));
  const start = () => startOurs({ DATA_DIR: folder });
  let server = await start();
  const cookie = await signIn(server.url);
  const items = await Promise.all(Array.from({ length: 8 }, () => addItem(server.url, cookie, OPENING)));
  const acknowledged = new Set<string>();
  let retried = 0;
  let slowestReadyMs = 0;
  try {
    for (let kill = 0; kill < times; kill++) {
      const unanswered = await clickUntilKilled(server, cookie, items, 60 + ((kill * 37) % 240), acknowledged);
      server = await start();
      slowestReadyMs = Math.max(slowestReadyMs, Math.round(server.readyMs));
      // Screens that got no response retry with the same keys. Changes that are already stored must not be repeated.
      for (const click of unanswered) {
        retried++;
        if ((await send(server.url, cookie, click, OPENING)).outcome === 'done') acknowledged.add(click.key);
      }
    }
    return {
      kills: times,
      acknowledged: acknowledged.size,
      retried,
      ...(await inspect(server, cookie, items, acknowledged)),
      slowestReadyMs,
    };
  } finally {
    server.kill('SIGKILL');
    await server.ended;
    rmSync(folder, { recursive: true, force: true });
  }
}

async function clickUntilKilled(
  server: Running,
  cookie: string,
  items: string[],
  ms: number,
  acknowledged: Set<string>,
) {
  const unanswered: Click[] = [];
  const people = Array.from({ length: 16 }, async (_, person) => {
    for (let n = person; ; n++) {
      const click = newClick(items[n % items.length] ?? '', n % 5 === 0 ? 3 : -1);
      const { outcome } = await send(server.url, cookie, click, OPENING);
      if (outcome === 'done') acknowledged.add(click.key);
      else if (outcome === 'unknown') return unanswered.push(click);
    }
  });
  await new Promise((resolve) => setTimeout(resolve, ms));
  server.kill('SIGKILL');
  await Promise.all([...people, server.ended]);
  return unanswered;
}

/** Finds lost, doubled and unrequested changes in the ledgers. */
async function inspect(server: Running, cookie: string, items: string[], acknowledged: Set<string>) {
  const stored: string[] = [];
  let unbalanced = 0;
  for (const itemId of items) {
    const [, ...movements] = (await ledgerOf(server.url, cookie, itemId)).toReversed();
    let sum = OPENING;
    for (const movement of movements) {
      sum += movement.delta;
      if (sum !== movement.quantityAfter || sum < 0) unbalanced++;
      stored.push(movement.id);
    }
    if (sum !== (await onHand(server.url, cookie, itemId))) unbalanced++;
  }
  const found = new Set(stored);
  return {
    lost: [...acknowledged].filter((key) => !found.has(key)).length,
    doubled: stored.length - found.size,
    unexplained: stored.filter((id) => !acknowledged.has(id)).length,
    unbalanced,
  };
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { times: { type: 'string', default: '50' } } });
  console.table([await crashRepeatedly(Number(values.times))]);
}
