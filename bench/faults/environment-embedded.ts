import { openDisk } from './disk.ts';
import { type Environment, serverFaults } from './environment.ts';
import type { MutantName } from './mutants.ts';
import { openServer } from './server-process.ts';

/**
 * Starts one server on its own SQLite file. `diskMb` is the size of a disk of its own, if this machine can provide one.
 */
export async function embeddedEnvironment({
  diskMb,
  mutant,
}: {
  diskMb: number | null;
  mutant?: MutantName | undefined;
}): Promise<Environment> {
  const disk = openDisk(diskMb);
  try {
    const server = await openServer({ folder: disk.folder, name: 'server', mutant });
    return {
      proxies: [server.proxy],
      description: `one server on SQLite, ${disk.method === 'a small disk' ? 'on a small disk in memory' : 'on the disk of this machine'}`,
      faults: {
        ...serverFaults([server]),
        ...(disk.method && {
          async 'disk-full'() {
            await disk.fill(server.pid);
            return () => disk.free(server.pid);
          },
        }),
      },
      async close() {
        await server.close();
        disk.close();
      },
    };
  } catch (error) {
    disk.close();
    throw error;
  }
}
