import { openDisk } from './disk.ts';
import type { MutantName } from './mutants.ts';
import { openServer } from './server-process.ts';
import { serverFaults, type World } from './world.ts';

/** One server on its own SQLite file. `diskMb`: how large its disk is, where it may have one of its own. */
export async function embeddedWorld({
  diskMb,
  mutant,
}: {
  diskMb: number | null;
  mutant?: MutantName | undefined;
}): Promise<World> {
  const disk = openDisk(diskMb);
  try {
    const server = await openServer({ folder: disk.folder, name: 'server', mutant });
    return {
      doors: [server.door],
      about: `one server on SQLite, ${disk.way === 'a small disk' ? 'on a small disk in memory' : 'on the disk of this machine'}`,
      faults: {
        ...serverFaults([server]),
        ...(disk.way && {
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
