import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const MAX_OWNERLESS_CHECKS = 10;

/**
 * Runs `work` while holding a lock. The lock is a folder that contains the process id of its owner. If another process
 * owns the lock, waits until that process releases it or exits.
 */
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
      // A lock without an owner was just released or, if it stays, was left behind by a power failure.
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

// Acquires the lock if it is free. The folder gets the lock's name only when it is complete, so no process sees a lock
// whose owner is not written yet.
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

// This process does not hold the lock when it checks, so its own id in the lock is that of an earlier process.
function hasExited({ pid }) {
  if (pid === process.pid) return true;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}

// Moves a lock whose owner has exited. Two processes may see the same dead owner, and the second must not move the lock
// that the first has acquired since. So the new name contains the dead owner's token and the moved folder is kept: the
// second rename fails, because a folder of that name exists.
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
