/// <reference lib="dom" />
// npm run bench -- camera [--rounds 3] [--shown 0.7]
// Shows 28 real codes of seven kinds to Chromium's fake camera, sharp, in dim light and blurred, and measures the time from the first
// picture with a code on screen to its booking on the floor screen. Each code has to be booked exactly once.
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Browser } from '@playwright/test';
import { kinds, launchWithCamera, looks, MARK, sampleCodes } from '../e2e/fake-camera.ts';
import { perfume } from './perfumes.ts';
import { startOurs } from './servers.ts';
import { addItems, signIn } from './shop.ts';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '3' }, shown: { type: 'string', default: '0.7' } },
});
const shownS = Number(values.shown);
const START_S = 2;
const GAP_S = 0.4;
const STOCK = 1_000;

const codes = sampleCodes();
const folder = mkdtempSync(join(tmpdir(), 'perfume-camera-'));
const ours = await startOurs({ DATA_DIR: join(folder, 'data') });
const browser = await launchWithCamera(codes, { startS: START_S, shownS, gapS: GAP_S, endS: 60 });
try {
  const cookie = await signIn(ours.url);
  await addItems(ours.url, cookie, codes.length, (n) => ({
    ...perfume(n),
    name: nameOf(n),
    quantity: String(STOCK),
    barcodes: [codes[n]?.text],
  }));
  const rounds: Scans[] = [];
  for (let round = 0; round < Number(values.rounds); round++) rounds.push(await watch(browser, cookie));
  report(rounds, await deliveredUnits(cookie));
} finally {
  await browser.close();
  ours.kill();
  await ours.ended;
  rmSync(folder, { recursive: true, force: true });
}

function nameOf(n: number): string {
  return `Camera ${String(n).padStart(2, '0')}`;
}

/** When each code came on screen, and when it was booked. Both are in milliseconds of the page. */
type Scans = { seen: Record<number, number>; booked: Record<string, number> };

/** Opens the floor screen, shows the video once and returns what happened. */
async function watch(browser: Browser, cookie: string): Promise<Scans> {
  const context = await browser.newContext({ baseURL: ours.url, viewport: { width: 390, height: 844 } });
  const at = cookie.indexOf('=');
  await context.addCookies([{ name: cookie.slice(0, at), value: cookie.slice(at + 1), url: ours.url }]);
  const page = await context.newPage();
  await page.addInitScript(recordScans, MARK);
  await page.goto('/dashboard/floor?mode=deliver');
  await page.getByRole('button', { name: 'Scan with the camera' }).click();
  const last = codes.length;
  const playS = START_S + codes.length * (shownS + GAP_S);
  await page.waitForFunction((n) => n in (window as unknown as { scans: Scans }).scans.seen, last, {
    timeout: (playS + 30) * 1_000,
  });
  // The last code has as much time as the others.
  await page.waitForTimeout((shownS + GAP_S) * 1_000);
  const scans = await page.evaluate(() => (window as unknown as { scans: Scans }).scans);
  await context.close();
  return scans;
}

/** Runs in the page: reads the mark in the corner of each picture, and notes when a card of the journal appears. */
function recordScans({ size, bits }: typeof MARK): void {
  const scans: Scans = { seen: {}, booked: {} };
  (window as unknown as { scans: Scans }).scans = scans;
  const canvas = new OffscreenCanvas(bits, 1).getContext('2d', { willReadFrequently: true });
  const read = (): void => {
    requestAnimationFrame(read);
    const video = document.querySelector('video');
    if (!video || video.readyState < 2 || !canvas) return;
    let number = 0;
    for (let bit = 0; bit < bits; bit++) canvas.drawImage(video, (bit + 0.5) * size, size / 2, 1, 1, bit, 0, 1, 1);
    const { data } = canvas.getImageData(0, 0, bits, 1);
    for (let bit = 0; bit < bits; bit++) if ((data[bit * 4] ?? 0) > 128) number += 1 << bit;
    if (number > 0) scans.seen[number] ??= performance.now();
  };
  requestAnimationFrame(read);
  addEventListener('DOMContentLoaded', () => {
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes)
        for (const node of addedNodes) {
          const card = node instanceof Element ? node.querySelector('h2') : null;
          const name = card?.closest('[data-look]') ? card.textContent : '';
          // A card that moves to the earlier ones was booked before.
          if (name !== '') scans.booked[name] ??= performance.now();
        }
    }).observe(document.body, { childList: true, subtree: true });
  });
}

/** Returns how many units of each item were delivered. */
async function deliveredUnits(cookie: string): Promise<number[]> {
  const response = await fetch(`${ours.url}/all-inventory-items?q=Camera&sort=name`, { headers: { cookie } });
  const items = (await response.json()) as { quantity: string }[];
  return items.map(({ quantity }) => STOCK - Number(quantity));
}

function report(rounds: readonly Scans[], delivered: readonly number[]): void {
  console.log(
    `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model.trim()}, load ${loadavg()[0]?.toFixed(1)}`,
  );
  console.log(`${codes.length} codes, each shown for ${shownS} s, ${rounds.length} rounds`);
  const all = rounds.flatMap((scans) => codes.map((code, i) => ({ code, ms: msOf(scans, i) })));
  const groups = [
    ['all', all],
    ...kinds.map((kind) => [kind, all.filter(({ code }) => code.kind === kind)] as const),
    ...Object.keys(looks).map((look) => [look, all.filter(({ code }) => code.look === look)] as const),
  ] as const;
  for (const [name, scans] of groups) {
    const times = scans.flatMap(({ ms }) => ms ?? []).sort((a, b) => a - b);
    const at = (part: number) =>
      `${Math.round(times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0)} ms`;
    console.log(
      `${name.padEnd(18)} ${times.length} of ${scans.length} booked   median ${at(0.5).padEnd(8)} p95 ${at(0.95)}`,
    );
  }
  const isOnceEach = delivered.length === codes.length && delivered.every((units) => units === rounds.length);
  console.log(isOnceEach ? 'every code was booked once in each round' : `NOT once each: ${delivered.join(' ')}`);
  process.exitCode = isOnceEach ? 0 : 1;
}

function msOf({ seen, booked }: Scans, i: number): number | null {
  const from = seen[i + 1];
  const to = booked[nameOf(i)];
  return from === undefined || to === undefined ? null : to - from;
}
