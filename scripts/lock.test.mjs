import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { moveStaleLock, withLock } from './lock.mjs';

let folder;
let lock;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'perfume-lock-'));
  lock = path.join(folder, 'lock');
});

afterEach(() => rmSync(folder, { recursive: true }));

test('only one process works at a time', async () => {
  const order = [];
  const work = (name) => async () => {
    order.push(`${name} begins`);
    await pause(30);
    order.push(`${name} ends`);
  };
  const other = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)']);
  createLockOf(other.pid);
  const waited = [];
  const second = withLock(lock, { onWait: (owner) => waited.push(owner.pid) }, work('second'));
  await pause(300);
  expect(order).toEqual([]);
  expect(waited).toEqual([other.pid]);

  other.kill('SIGKILL');
  await once(other, 'exit');
  await second;
  expect(order).toEqual(['second begins', 'second ends']);
});

test('the lock is released afterwards, even if the work failed', async () => {
  const failing = withLock(lock, {}, () => Promise.reject(new Error('no disk')));
  await expect(failing).rejects.toThrow('no disk');
  expect(existsSync(lock)).toBe(false);
  expect(await withLock(lock, {}, () => 'done')).toBe('done');
});

test('the lock of a dead process is taken over', async () => {
  createLockOf(deadPid());
  expect(await withLock(lock, {}, () => JSON.parse(readFileSync(path.join(lock, 'owner.json'), 'utf8')).pid)).toBe(
    process.pid,
  );
});

test('a late process cannot take the lock from a live owner', async () => {
  const dead = createLockOf(deadPid());
  moveStaleLock(lock, dead);
  await withLock(lock, {}, () => {
    moveStaleLock(lock, dead);
    expect(existsSync(lock)).toBe(true);
  });
});

test('many processes that find a dead lock at once never work in parallel', async () => {
  createLockOf(deadPid());
  const program = path.join(folder, 'contender.mjs');
  const inside = path.join(folder, 'inside');
  writeFileSync(
    program,
    `import { mkdirSync, rmdirSync } from 'node:fs';
     import { setTimeout as pause } from 'node:timers/promises';
     import { withLock } from ${JSON.stringify(new URL('./lock.mjs', import.meta.url).href)};
     await withLock(${JSON.stringify(lock)}, {}, async () => {
       mkdirSync(${JSON.stringify(inside)});
       await pause(20);
       rmdirSync(${JSON.stringify(inside)});
     });`,
  );
  const codes = await Promise.all(
    Array.from({ length: 6 }, async () => (await once(spawn(process.execPath, [program]), 'exit'))[0]),
  );
  expect(codes).toEqual([0, 0, 0, 0, 0, 0]);
});

function createLockOf(pid) {
  const owner = { pid, token: `of-${pid}` };
  mkdirSync(lock);
  writeFileSync(path.join(lock, 'owner.json'), JSON.stringify(owner));
  return owner;
}

function deadPid() {
  return spawnSync(process.execPath, ['-e', '']).pid;
}
