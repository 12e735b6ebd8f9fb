import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder whose disk can be made full, by whatever method this machine and this user allow. */
export type Disk = {
  folder: string;
  /** How the disk is made full; null if no method works here. */
  method: 'a small disk' | 'a file size limit' | null;
  fill(serverPid: number): Promise<void>;
  free(serverPid: number): Promise<void>;
  close(): void;
};

export function openDisk(megabytes: number | null): Disk {
  const folder = mkdtempSync(join(tmpdir(), 'perfume-faults-'));
  if (megabytes !== null && mountTmpfs(folder, megabytes)) return smallDisk(folder);
  const remove = () => rmSync(folder, { recursive: true, force: true });
  if (!canLimitFileSize()) return { folder, method: null, fill: async () => {}, free: async () => {}, close: remove };
  return {
    folder,
    method: 'a file size limit',
    // The limit is so small that neither the database file nor its WAL can grow.
    fill: async (pid) => limitFileSize(pid, '4096'),
    free: async (pid) => limitFileSize(pid, 'unlimited'),
    close: remove,
  };
}

function smallDisk(folder: string): Disk {
  const ballast = join(folder, 'ballast');
  return {
    folder,
    method: 'a small disk',
    fill: () => fillToTheEnd(folder, ballast),
    free: async () => rmSync(ballast, { force: true }),
    close() {
      execFileSync('umount', ['--lazy', folder]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Mounts a small disk in memory, which only root can do. Returns whether it worked. */
function mountTmpfs(folder: string, megabytes: number): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0700`, 'tmpfs', folder], { stdio: 'ignore' });
    return true;
  } catch {
    // In a container, root may not be allowed to mount.
    return false;
  }
}

const CHUNK = Buffer.alloc(1024 * 1024);

/** Writes until the disk is full. The server writes meanwhile, so the free space cannot be computed in advance. */
async function fillToTheEnd(folder: string, ballast: string): Promise<void> {
  const file = await open(ballast, 'w');
  try {
    for (;;) {
      const { bavail, bsize } = statfsSync(folder);
      const bytes = Math.min(CHUNK.length, Math.max(bsize, bavail * bsize));
      await file.write(CHUNK, 0, bytes);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  } finally {
    await file.close();
  }
}

function canLimitFileSize(): boolean {
  try {
    execFileSync('prlimit', ['--pid', String(process.pid), '--fsize'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

function limitFileSize(pid: number, max: string): void {
  execFileSync('prlimit', ['--pid', String(pid), `--fsize=${max}:unlimited`]);
}
