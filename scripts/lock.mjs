import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const NAMELESS_LOOKS = 10;

/** Does the work while holding the lock, a folder with its owner's name inside; waits for an owner that is alive. */
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
  let nameless = 0;
  for (;;) {
    const release = tryToTake(lock);
    if (release) return release;
    const owner = ownerOf(lock);
    if (!owner) {
      // Given back just now; or, if it stays so, left by a machine that lost its power.
      if (++nameless > NAMELESS_LOOKS) putAside(lock, { token: randomUUID() });
      await pause(200);
    } else if (isGone(owner)) putAside(lock, owner);
    else {
      if (!waiting) onWait(owner, lock);
      waiting = true;
      await pause(200);
    }
  }
}

// A folder that is complete before it gets the lock's name: a lock without an owner is never seen.
function tryToTake(lock) {
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
  sweep(lock);
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

// This process does not hold the lock while it asks, so its own number in it is left from an earlier life.
function isGone({ pid }) {
  if (pid === process.pid) return true;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}

// The name says whose lock it was and the folder stays: a second process that saw the same dead owner cannot
// move a living owner's lock to the same place.
export function putAside(lock, owner) {
  try {
    renameSync(lock, `${lock}-left-${owner.token}`);
  } catch {
    // Another process was quicker.
  }
}

function sweep(lock) {
  const hourAgo = Date.now() - 3_600_000;
  for (const name of readdirSync(path.dirname(lock))) {
    const folder = path.join(path.dirname(lock), name);
    if (!name.startsWith(`${path.basename(lock)}-`)) continue;
    if (statSync(folder, { throwIfNoEntry: false })?.mtimeMs < hourAgo)
      rmSync(folder, { recursive: true, force: true });
  }
}
