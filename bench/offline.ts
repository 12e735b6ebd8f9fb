/// <reference lib="dom" />
// npm run bench -- offline [--actions 300] [--devices 3] [--seed 1]
// Several browsers deliver, scan, restock, count, add and undo while their network goes away, the server is killed, pages are
// reloaded, tabs and browsers are closed and clocks jump. In the end every change that a device stored must be in the
// ledger exactly once, or be refused. Ctrl C ends the actions early; what was done until then is checked.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type BrowserContext, chromium, type Page } from '@playwright/test';
import { scan } from '../e2e/hand-scanner.ts';
import { type SeededRandom, seededRandom } from './faults/random.ts';
import { type Running, startOurs } from './servers.ts';
import { addItem, signIn } from './shop.ts';

const { values } = parseArgs({
  options: {
    actions: { type: 'string', default: '300' },
    devices: { type: 'string', default: '3' },
    seed: { type: 'string', default: '1' },
  },
});
const ACTIONS = Number(values.actions);
const DAY_MS = 24 * 60 * 60 * 1_000;
const SCARCE = 25;

type Made = {
  id: string;
  itemId: string;
  made: { kind: 'move' | 'count' | 'add' | 'undo'; delta?: number; counted?: number; seen?: number };
};
type Movement = { id: string; kind: string; delta: number };
type Stored = { id: string; state: 'waiting' | 'refused' | 'undecided' };
type Report = (Made & { type: 'made'; num: number }) | { type: 'deleted'; num: number };

const folder = mkdtempSync(join(tmpdir(), 'perfume-offline-'));
const port = await freePort();
const server = { running: await startServer(), kills: 0 };
const faults: Record<string, number> = {};
const counted: Record<string, number> = {};

function startServer(): Promise<Running> {
  return startOurs({ DATA_DIR: join(folder, 'data'), PORT: String(port) });
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

/** A browser with its profile on disk, and what is known about the changes that it has made. */
class Device {
  readonly made = new Map<string, Made>();
  /** The status of every response to a change, by its key. */
  readonly answers = new Map<string, Set<number>>();
  readonly deleted = new Set<string>();
  readonly replaced = new Set<string>();
  undos = 0;
  private readonly idOf = new Map<number, string>();
  private readonly random: SeededRandom;
  private readonly profile: string;
  private context!: BrowserContext;
  page!: Page;
  private isOffline = false;

  readonly name: string;

  constructor(name: string) {
    this.name = name;
    this.random = seededRandom(values.seed, name);
    this.profile = join(folder, name);
    mkdirSync(this.profile);
  }

  async open(): Promise<void> {
    this.context = await chromium.launchPersistentContext(this.profile, {
      executablePath: process.env.CHROMIUM_PATH ?? '',
      args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking', '--no-first-run'],
      baseURL: server.running.url,
      viewport: { width: 390, height: 844 },
      reducedMotion: 'reduce',
      // Ctrl+C ends the actions, not the browsers: the check still needs them.
      handleSIGINT: false,
    });
    await this.context.exposeBinding('reportChange', (_source, report: Report) => this.note(report));
    const shift = this.random.pick([0, 0, -40 * DAY_MS, 40 * DAY_MS, -3_600_000]);
    if (shift !== 0) count(faults, 'clock jumps');
    await this.context.addInitScript(watchChanges, shift);
    this.context.on('response', (response) => {
      const key = response.request().headers()['idempotency-key'];
      if (key) this.answers.set(key, (this.answers.get(key) ?? new Set()).add(response.status()));
    });
    await this.context.setOffline(this.isOffline);
    this.page = this.context.pages()[0] ?? (await this.context.newPage());
  }

  async signIn(): Promise<void> {
    await this.context.request.post('/demo/sign-in', { data: {} });
    await this.page.goto('/dashboard/manage-inventory');
    await this.page.evaluate(async () => {
      await navigator.serviceWorker.ready;
      while (!navigator.serviceWorker.controller || !(await caches.match('/noted-files')))
        await new Promise((resolve) => setTimeout(resolve, 50));
    });
  }

  private note(report: Report): void {
    if (report.type === 'deleted') {
      const id = this.idOf.get(report.num);
      if (id !== undefined) this.deleted.add(id);
      return;
    }
    const before = this.idOf.get(report.num);
    // A new attempt has a new key: the change under the first one was refused, or never sent.
    if (before !== undefined && before !== report.id) this.replaced.add(before);
    this.idOf.set(report.num, report.id);
    this.made.set(report.id, report);
  }

  async show(itemId: string): Promise<boolean> {
    try {
      await this.page.goto(`/dashboard/inventory/${itemId}`, { timeout: 15_000 });
      await this.page.getByText('Available quantity').waitFor({ timeout: 15_000 });
      return true;
    } catch {
      count(faults, 'pages that did not open');
      return false;
    }
  }

  /** Clicks as fast as a person can, and faster. */
  async act(): Promise<number> {
    const action = this.random.pickWeighted({ deliver: 5, scan: 2, restock: 3, count: 3, undo: 1, add: 0.5 });
    if (action === 'scan') return this.scan();
    const times = action === 'deliver' ? this.random.whole(1, 12) : 1;
    if (action === 'deliver') {
      await this.page.evaluate(async (times) => {
        const button = [...document.querySelectorAll('button')].find(({ textContent }) =>
          /^(Delivered|Sold Out)$/.test(textContent ?? ''),
        );
        for (let click = 0; click < times; click++) {
          button?.click();
          await new Promise((resolve) => setTimeout(resolve, 15));
        }
      }, times);
    } else if (action === 'restock') {
      await this.page.getByLabel('Restock the items').fill(String(this.random.whole(1, 9)));
      await this.page.getByRole('button', { name: 'Update Stock' }).click();
    } else if (action === 'count') {
      const shown = await this.quantity();
      await this.page.getByRole('button', { name: 'Count', exact: true }).click();
      const field = this.page.getByLabel('Counted quantity');
      await field.fill(String(Math.max(0, shown + this.random.pick([-3, -1, 1, 4]))));
      await this.page.getByRole('button', { name: 'Save count' }).click();
    } else if (action === 'undo') {
      await this.page.locator('body').press('Control+z');
      this.undos++;
    } else await this.add();
    count(counted, action, times);
    await this.flush();
    return times;
  }

  /** Scans up to five bottles on the floor screen. */
  private async scan(): Promise<number> {
    await this.page.goto('/dashboard/floor?mode=deliver', { timeout: 15_000 });
    await this.page.getByRole('radio', { name: 'Deliver', checked: true }).waitFor({ timeout: 15_000 });
    const first = this.random.whole(0, items.length - 1);
    const codes = Array.from({ length: this.random.whole(1, 5) }, (_, i) => codeOf((first + i) % items.length));
    await scan(this.page, ...codes);
    count(counted, 'scan', codes.length);
    await this.page.waitForFunction(
      (cards) => document.querySelectorAll('[data-look]:not([data-look=looking])').length >= cards,
      codes.length,
      { timeout: 15_000 },
    );
    await this.flush();
    return codes.length;
  }

  private async add(): Promise<void> {
    await this.page.goto('/dashboard/add-inventory-item', { timeout: 15_000 });
    const main = this.page.getByRole('main');
    const fields = {
      Name: `Added on ${this.name}`,
      Price: '58.50',
      Quantity: String(this.random.whole(1, 50)),
      Image: '/bottles/saffron-court.svg',
      Description: 'Warm amber, sea salt and a thread of smoke on linen, worn late.',
      'Supplier name': 'Atelier Solène',
    };
    for (const [label, value] of Object.entries(fields))
      await main.getByLabel(label, { exact: true }).fill(value, { timeout: 15_000 });
    await this.page.getByRole('button', { name: 'Add Item', exact: true }).click();
    await main.getByRole('link', { name: 'Open' }).click({ timeout: 40_000 });
    await this.page.getByText('Available quantity').waitFor({ timeout: 15_000 });
  }

  /** Waits until what was clicked is stored: a browser that is closed before loses what no storage has seen. */
  private async flush(): Promise<void> {
    await this.page.evaluate(async () => {
      await new Promise((resolve) => setTimeout(resolve, 30));
      const open = indexedDB.open('stock-queue');
      const db = await new Promise<IDBDatabase>((resolve) => {
        open.onsuccess = () => resolve(open.result);
      });
      const read = db.transaction('changes').objectStore('changes').count();
      await new Promise((resolve) => {
        read.onsuccess = resolve;
      });
      db.close();
    });
  }

  async suffer(): Promise<void> {
    const fault = this.random.pickWeighted({
      none: 8,
      network: 4,
      reload: 2,
      'closed tab': 1,
      'closed browser': 0.5,
      'killed server': 0.7,
    });
    if (fault === 'none') return;
    count(faults, fault);
    if (fault === 'network') {
      this.isOffline = !this.isOffline;
      await this.context.setOffline(this.isOffline);
    } else if (fault === 'reload') await this.page.reload({ timeout: 15_000 }).catch(() => {});
    else if (fault === 'closed tab') {
      const next = await this.context.newPage();
      await this.page.close();
      this.page = next;
    } else if (fault === 'closed browser') {
      await this.context.close();
      await this.open();
    } else await killServer(this.random.whole(0, 3_000));
  }

  /** Comes online and waits until nothing is left to send. */
  async settle(): Promise<Stored[]> {
    this.isOffline = false;
    await this.context.setOffline(false);
    await this.page.goto('/dashboard/manage-inventory');
    for (;;) {
      const stored = await this.stored();
      if (stored.every(({ state }) => state === 'refused')) return stored;
      if (stored.some(({ state }) => state === 'undecided')) await this.decide();
      await pause(200);
    }
  }

  /** Answers one count whose item others have changed. */
  private async decide(): Promise<void> {
    const dialog = this.page.getByRole('dialog');
    if (!(await dialog.isVisible()))
      await this.page.getByRole('button', { name: /pending|needs? you/ }).click({ timeout: 10_000 });
    const answer = this.random.pick([/^Set to/, /^Keep both/, /^Set to/]);
    const button = dialog.getByRole('button', { name: answer }).first();
    await button.click({ timeout: 5_000 }).catch(() => {});
    count(counted, 'decisions');
    await pause(300);
  }

  private stored(): Promise<Stored[]> {
    return this.page.evaluate(async () => {
      const open = indexedDB.open('stock-queue');
      const db = await new Promise<IDBDatabase>((resolve) => {
        open.onsuccess = () => resolve(open.result);
      });
      const read = db.transaction('changes').objectStore('changes').getAll();
      const all = await new Promise<Stored[]>((resolve) => {
        read.onsuccess = () => resolve(read.result as Stored[]);
      });
      db.close();
      return all.map(({ id, state }) => ({ id, state }));
    });
  }

  /** Null if the page does not open, also not at the third attempt. */
  async shownQuantity(itemId: string): Promise<number | null> {
    for (let attempt = 0; attempt < 3; attempt++) if (await this.show(itemId)) return this.quantity();
    return null;
  }

  private async quantity(): Promise<number> {
    const text = await this.page.getByText('Available quantity').locator('xpath=following-sibling::p').innerText();
    return Number(text.replace(/\D/g, ''));
  }

  async close(): Promise<void> {
    await this.context?.close();
  }
}

/** Runs in the page: reports every change that is stored or removed, and shifts the clock. */
function watchChanges(shift: number): void {
  const { add, put, delete: remove } = IDBObjectStore.prototype;
  const report = (globalThis as unknown as { reportChange: (report: unknown) => void }).reportChange;
  IDBObjectStore.prototype.add = function (value, ...rest) {
    const request = add.call(this, value, ...rest);
    if (this.name === 'changes') {
      const { id, itemId, made } = value;
      request.addEventListener('success', () =>
        report({ type: 'made', num: Number(request.result), id, itemId, made }),
      );
    }
    return request;
  };
  IDBObjectStore.prototype.put = function (value, ...rest) {
    if (this.name === 'changes') {
      const { num, id, itemId, made } = value;
      report({ type: 'made', num, id, itemId, made });
    }
    return put.call(this, value, ...rest);
  };
  IDBObjectStore.prototype.delete = function (key) {
    if (this.name === 'changes') report({ type: 'deleted', num: Number(key) });
    return remove.call(this, key);
  };
  const RealDate = Date;
  globalThis.Date = class extends RealDate {
    constructor(...given: []) {
      super(...(given.length === 0 ? ([RealDate.now() + shift] as unknown as []) : given));
    }
    static override now(): number {
      return RealDate.now() + shift;
    }
  } as DateConstructor;
}

let restarting: Promise<void> | null = null;

/** Kills the server and starts it again on the same data after a while. */
function killServer(ms: number): Promise<void> {
  restarting ??= (async () => {
    server.kills++;
    server.running.kill('SIGKILL');
    await server.running.ended;
    await pause(ms);
    server.running = await startServer();
    restarting = null;
  })();
  // The devices go on without the server, half of the time.
  return ms % 2 === 0 ? restarting : Promise.resolve();
}

function codeOf(n: number): string {
  return `TORTURE-${n}`;
}

function count(of: Record<string, number>, name: string, by = 1): void {
  of[name] = (of[name] ?? 0) + by;
}

async function ledgerOf(cookie: string, itemId: string): Promise<Movement[]> {
  const all: Movement[] = [];
  let next: string | null = `/inventory-items/${itemId}/movements?limit=200`;
  while (next !== null) {
    const answer: Response = await fetch(server.running.url + next, { headers: { cookie } });
    // An item that was never added has none.
    if (answer.status === 404) return [];
    all.push(...((await answer.json()) as Movement[]));
    next = /<([^>]*)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1] ?? null;
  }
  return all;
}

const startedAt = performance.now();
const cookie = await signIn(server.running.url);
const items: string[] = [];
for (const [n, quantity] of [...Array(8).fill(100_000), SCARCE, SCARCE].entries())
  items.push(await addItem(server.running.url, cookie, quantity, { barcodes: [codeOf(n)] }));
const devices = Array.from({ length: Number(values.devices) }, (_, n) => new Device(`device-${n + 1}`));
let left = ACTIONS;
process.once('SIGINT', () => {
  left = 0;
});
try {
  for (const device of devices) {
    await device.open();
    await device.signIn();
    for (const item of items) await device.show(item);
  }
  await Promise.all(
    devices.map(async (device) => {
      const random = seededRandom(values.seed, device.name, 'walk');
      let isShown = false;
      while (left > 0) {
        if (!isShown || random.next() < 0.4) isShown = await device.show(random.pick(items));
        if (!isShown) {
          // A clock that jumped by more than a month has made the copies on the device too old. The network comes back.
          await device.suffer();
          continue;
        }
        const done = await device.act().catch(() => {
          isShown = false;
          return 0;
        });
        left -= done;
        process.stderr.write(`\r${Math.max(0, left)} actions left `);
        await device.suffer();
        isShown &&= await device.page
          .getByText('Available quantity')
          .isVisible()
          .catch(() => false);
      }
    }),
  );
  await restarting;
  process.exitCode = (await isExact()) ? 0 : 1;
} finally {
  for (const device of devices) await device.close().catch(() => {});
  server.running.kill('SIGKILL');
  await server.running.ended;
  rmSync(folder, { recursive: true, force: true });
}

async function isExact(): Promise<boolean> {
  const listed = new Set<string>();
  const left = await Promise.all(devices.map((device) => device.settle()));
  for (const { id } of left.flat()) listed.add(id);
  const made = new Map(devices.flatMap((device) => [...device.made]));
  const added = [...made.values()].filter((change) => change.made.kind === 'add').map(({ itemId }) => itemId);
  const ledgers = new Map<string, Movement[]>();
  for (const item of [...items, ...added]) ledgers.set(item, await ledgerOf(cookie, item));
  const booked = new Map([...ledgers.values()].flat().map((movement) => [movement.id, movement]));
  const problems: string[] = [];
  const outcomes: Record<string, number> = {};

  for (const device of devices) {
    let dropped = 0;
    for (const [id, change] of device.made) {
      const statuses = [...(device.answers.get(id) ?? [])];
      const wasBooked = change.made.kind === 'add' ? ledgers.get(id)?.length !== 0 : booked.has(id);
      const wasRefused = statuses.some((status) => status >= 400 && status < 500 && status !== 401);
      if (wasBooked && listed.has(id)) problems.push(`${id} is booked and still listed on ${device.name}`);
      if (!wasBooked && device.replaced.has(id)) continue;
      const { counted = 0, seen = 0, delta = counted - seen } = change.made;
      if (wasBooked) count(outcomes, 'booked');
      else if (change.made.kind === 'count' && delta === 0 && statuses.includes(200))
        count(outcomes, 'counts that confirmed the quantity');
      else if (listed.has(id)) count(outcomes, 'listed as refused');
      else if (wasRefused) count(outcomes, 'refused at the click');
      else if (device.deleted.has(id) && !statuses.some((status) => status < 300)) dropped++;
      else
        problems.push(
          `${id} (${JSON.stringify(change.made)}) of ${device.name} is lost: ${statuses.join(' ') || 'no response'}`,
        );
      if (wasBooked && change.made.kind !== 'add' && booked.get(id)?.delta !== delta)
        problems.push(`${id} was booked as ${booked.get(id)?.delta}, not ${delta}`);
    }
    count(outcomes, 'undone before they were sent', dropped);
    if (dropped > device.undos)
      problems.push(`${device.name}: ${dropped} changes vanished, ${device.undos} were undone`);
  }
  for (const movement of booked.values())
    if (movement.kind !== 'opening' && !made.has(movement.id)) problems.push(`${movement.id} was booked, but not made`);
  for (const [item, movements] of ledgers) {
    if (movements.length === 0) continue;
    if (movements.filter(({ kind }) => kind === 'opening').length !== 1) problems.push(`${item} was not added once`);
    const sum = movements.reduce((total, { delta }) => total + delta, 0);
    for (const device of devices) {
      const shown = await device.shownQuantity(item);
      if (shown !== sum) problems.push(`${device.name} shows ${shown} of ${item}, the ledger has ${sum}`);
    }
  }
  console.log(`actions   ${text(counted)}`);
  console.log(`faults    ${text({ ...faults, 'killed server': server.kills })}`);
  console.log(`changes   ${made.size}: ${text(outcomes)}`);
  console.log(`${problems.length === 0 ? 'exact' : 'WRONG'}, ${Math.round((performance.now() - startedAt) / 1_000)} s`);
  for (const problem of problems.slice(0, 40)) console.log(`  ${problem}`);
  return problems.length === 0;
}

function text(of: Record<string, number>): string {
  return Object.entries(of)
    .map(([name, number]) => `${number} ${name}`)
    .join(', ');
}
