import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder on a disk that can be full, in whichever honest way this machine and this user allow. */
export type Disk = {
  folder: string;
  /** Null: there is no way here. */
  way: 'a small disk' | 'a file size limit' | null;
  fill(serverPid: number): Promise<void>;
  free(serverPid: number): Promise<void>;
  close(): void;
};

export function openDisk(megabytes: number | null): Disk {
  const folder = mkdtempSync(join(tmpdir(), 'perfume-faults-'));
  if (megabytes !== null && mountSmall(folder, megabytes)) return smallDisk(folder);
  const remove = () => rmSync(folder, { recursive: true, force: true });
  if (!canLimit()) return { folder, way: null, fill: async () => {}, free: async () => {}, close: remove };
  return {
    folder,
    way: 'a file size limit',
    // Not one page can be written any more, neither to the log nor to the file.
    fill: async (pid) => limitFileSize(pid, '4096'),
    free: async (pid) => limitFileSize(pid, 'unlimited'),
    close: remove,
  };
}

function smallDisk(folder: string): Disk {
  const ballast = join(folder, 'ballast');
  return {
    folder,
    way: 'a small disk',
    fill: () => fillUp(folder, ballast),
    free: async () => rmSync(ballast, { force: true }),
    close() {
      execFileSync('umount', ['--lazy', folder]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Root can have a disk of its own in memory. */
function mountSmall(folder: string, megabytes: number): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0700`, 'tmpfs', folder], { stdio: 'ignore' });
    return true;
  } catch {
    // Root of a container may not mount.
    return false;
  }
}

const CHUNK = Buffer.alloc(1024 * 1024);

/** The server goes on writing meanwhile, so there is no telling beforehand how much is needed. */
async function fillUp(folder: string, ballast: string): Promise<void> {
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

function canLimit(): boolean {
  try {
    execFileSync('prlimit', ['--pid', String(process.pid), '--fsize'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

function limitFileSize(pid: number, most: string): void {
  execFileSync('prlimit', ['--pid', String(pid), `--fsize=${most}:unlimited`]);
}
