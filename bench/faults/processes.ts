import { execFileSync } from 'node:child_process';

/** A process and all its descendants, parents first. */
export function processTree(pid: number): number[] {
  const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  const childrenOf = Map.groupBy(
    table
      .trim()
      .split('\n')
      .map((line) => line.trim().split(/\s+/).map(Number)),
    ([, parent]) => parent,
  );
  const tree = [pid];
  for (const member of tree) for (const [child] of childrenOf.get(member) ?? []) if (child) tree.push(child);
  return tree;
}

/** Sends a signal to all these processes, except those that have exited meanwhile. */
export function signalAll(pids: number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}
