import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const MAX_OWNERLESS_CHECKS = 10;

/** Runs the work while holding the lock, a folder that contains its owner's process id; waits while that owner is alive. */
export async function withLock(lock, { onWait = () => {} } = {}, work) {
  const release = await acquire(lock, onWait);
  try {
    return await work();
  } finally {
    release();
  }
}

async function acquire(lock, onWait) {
  let waiting = false;
  let ownerlessChecks = 0;
  for (;;) {
    const release = tryToAcquire(lock);
    if (release) return release;
    const owner = ownerOf(lock);
    if (!owner) {
      // The lock has no owner: it was just released or, if this persists, left behind by a power failure.
      if (++ownerlessChecks > MAX_OWNERLESS_CHECKS) moveStaleLock(lock, { token: randomUUID() });
      await pause(200);
    } else if (hasExited(owner)) moveStaleLock(lock, owner);
    else {
      if (!waiting) onWait(owner, lock);
      waiting = true;
      await pause(200);
    }
  }
}

// The folder is complete before it is renamed to the lock's name, so nobody sees a lock without an owner.
function tryToAcquire(lock) {
  const token = randomUUID();
  const mine = `${lock}-${token}`;
  mkdirSync(mine, { recursive: true });
  writeFileSync(path.join(mine, 'owner.json'), JSON.stringify({ pid: process.pid, token }));
  try {
    renameSync(mine, lock);
  } catch {
    rmSync(mine, { recursive: true });
    return undefined;
  }
  removeOldFolders(lock);
  return () => {
    renameSync(lock, mine);
    rmSync(mine, { recursive: true });
  };
}

function ownerOf(lock) {
  try {
    return JSON.parse(readFileSync(path.join(lock, 'owner.json'), 'utf8'));
  } catch {
    return undefined;
  }
}

// This process does not hold the lock when it checks, so its own id in the lock is from an earlier process.
function hasExited({ pid }) {
  if (pid === process.pid) return true;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}

// The new name contains the dead owner's id and the folder is kept, so a second process that saw the same dead owner cannot
// move a live owner's lock to the same path.
export function moveStaleLock(lock, owner) {
  try {
    renameSync(lock, `${lock}-left-${owner.token}`);
  } catch {
    // Another process was faster.
  }
}

function removeOldFolders(lock) {
  const hourAgo = Date.now() - 3_600_000;
  for (const name of readdirSync(path.dirname(lock))) {
    const folder = path.join(path.dirname(lock), name);
    if (!name.startsWith(`${path.basename(lock)}-`)) continue;
    if (statSync(folder, { throwIfNoEntry: false })?.mtimeMs < hourAgo)
      rmSync(folder, { recursive: true, force: true });
  }
}
