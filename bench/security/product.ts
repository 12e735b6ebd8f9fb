import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startMailbox } from '../../server/testing/mailbox.ts';
import { type Person, signUp } from '../fuzz/people.ts';
import { perfume } from '../perfumes.ts';

const ROOT = join(import.meta.dirname, '../..');
const START_TIMEOUT_MS = 60_000;

export type Product = { url: string; person: Person; itemIds: string[]; stop(): Promise<void> };

/**
 * Starts the product as if it were behind a proxy at a public https address, so that headers and cookies are those of
 * production.
 */
export async function startProduct(databaseUrl: string | null): Promise<Product> {
  const dataDir = mkdtempSync(join(tmpdir(), 'perfume-security-'));
  const mailbox = await startMailbox();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env: NodeJS.ProcessEnv = {
    PATH: process.env.PATH,
    NODE_ENV: 'production',
    PORT: String(port),
    DATA_DIR: dataDir,
    PUBLIC_URL: 'https://stock.example.com',
    AUTH_SECRET: 'a secret for scanners, long enough to be one',
    SMTP_URL: mailbox.settings.smtpUrl,
    MAIL_FROM: mailbox.settings.from,
    LOG_LEVEL: 'error',
    ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
  };
  const child = spawn(process.execPath, ['server/src/main.ts'], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const end = () => child.kill('SIGKILL');
  process.once('exit', end);
  async function stop(): Promise<void> {
    process.off('exit', end);
    if (child.exitCode === null && child.signalCode === null) {
      const hasExited = once(child, 'exit');
      child.kill('SIGTERM');
      await hasExited;
    }
    await mailbox.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
  try {
    await ready(url);
    const person = await signUp(url, true, async (email) => (await mailbox.mailTo(email)).links[0]);
    return { url, person, itemIds: await createItems(url, person), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Creates a few items and returns their ids. */
async function createItems(url: string, { cookie }: Person): Promise<string[]> {
  const headers = { cookie, 'content-type': 'application/json' };
  const ids: string[] = [];
  for (let at = 0; at < 12; at++) {
    const body = JSON.stringify(perfume(at));
    const answer = await fetch(`${url}/new-inventory-item`, { method: 'POST', headers, body });
    if (answer.status !== 201) throw new Error(`no item: ${await answer.text()}`);
    ids.push(((await answer.json()) as { _id: string })._id);
  }
  return ids;
}

async function ready(url: string): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline) {
    const answer = await fetch(`${url}/readyz`).catch(() => null);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('the product was not ready in time');
}

async function freePort(): Promise<number> {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as { port: number };
  listener.close();
  await once(listener, 'close');
  return port;
}
