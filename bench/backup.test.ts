import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { startOurs } from './servers.ts';
import { addItem, ledgerOf, newClick, onHand, send, signIn } from './shop.ts';

const OPENING = 1_000_000;
const folder = mkdtempSync(join(tmpdir(), 'perfume-backup-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a backup under full load contains everything acknowledged before it started, nothing partial, and starts elsewhere', async () => {
  const [data, elsewhere] = [join(folder, 'data'), join(folder, 'elsewhere')];
  const server = await startOurs({ DATA_DIR: data });
  const cookie = await signIn(server.url);
  const items = await Promise.all(Array.from({ length: 8 }, () => addItem(server.url, cookie, OPENING)));
  const sent = new Set<string>();
  const acknowledged = new Set<string>();
  let clicking = true;
  const people = Array.from({ length: 16 }, async (_, person) => {
    for (let n = person; clicking; n++) {
      const click = newClick(items[n % items.length] ?? '', n % 5 === 0 ? 3 : -1);
      sent.add(click.key);
      if ((await send(server.url, cookie, click, OPENING)).outcome === 'done') acknowledged.add(click.key);
    }
  });
  while (acknowledged.size < 300) await new Promise((resolve) => setTimeout(resolve, 20));
  const acknowledgedBefore = new Set(acknowledged);
  const backupFolder = (await program('backup', data, join(folder, 'backups'))).trim().split('\n').at(-1) ?? '';
  // `verify` must read one snapshot too, or it would see a quantity that is newer than the ledger.
  expect(await program('verify', data)).toContain('The ledger is intact');
  const during = acknowledged.size - acknowledgedBefore.size;
  clicking = false;
  await Promise.all(people);
  expect(during).toBeGreaterThan(0);
  for (const name of readdirSync(backupFolder))
    expect([name, statSync(join(backupFolder, name)).mode & 0o777]).toEqual([name, 0o600]);

  // The original server keeps running; the copy starts beside it.
  await program('restore', elsewhere, backupFolder);
  const copy = await startOurs({ DATA_DIR: elsewhere });
  // A restore ends all sessions.
  const copyCookie = await signIn(copy.url);
  const stored = new Map<string, number>();
  for (const item of items) {
    const ledger = await ledgerOf(copy.url, copyCookie, item);
    for (const { id } of ledger) stored.set(id, (stored.get(id) ?? 0) + 1);
    expect(ledger.reduce((sum, { delta }) => sum + delta, 0)).toBe(await onHand(copy.url, copyCookie, item));
  }
  expect([...acknowledgedBefore].filter((key) => !stored.has(key))).toEqual([]);
  expect([...stored].filter(([id, times]) => times > 1 || !(sent.has(id) || items.includes(id)))).toEqual([]);
  expect(await program('verify', elsewhere)).toContain('The ledger is intact');

  for (const one of [server, copy]) one.kill();
  await Promise.all([server.ended, copy.ended]);
}, 120_000);

async function program(name: string, data: string, ...args: string[]): Promise<string> {
  const file = join(import.meta.dirname, '../server/src/programs', `${name}.ts`);
  const { stdout } = await promisify(execFile)(process.execPath, [file, ...args], {
    env: { ...process.env, DATA_DIR: data },
  });
  return stdout;
}
