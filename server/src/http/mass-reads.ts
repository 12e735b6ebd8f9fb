import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Budgets } from './budgets.ts';

/** Who reads this many rows of one list within the window is logged: at this number, and whenever it has doubled. */
export const MASS_READ = { rows: 1_000, windowMs: 60 * 60 * 1_000, maxPeople: 10_000 };

/** How many rows of one list a person has read since `startedAt`. */
type Window = { rows: number; startedAt: number };

/**
 * Counts the rows that each person reads for their budget, and logs who reads a whole list. An export is such a read
 * too: the browser makes the file from pages of the list. Counts in memory, so each server counts for itself.
 */
export function rowCounter(clock: () => number, budgets: Budgets) {
  const windowsOf = new Map<string, Map<string, Window>>();

  return function count(request: FastifyRequest, reply: FastifyReply): void {
    const { user, key } = request.annotation ?? {};
    // Visitors see only the public list.
    if (user === undefined || reply.statusCode !== 200) return;
    // A row with long texts counts as several.
    const kibibytes = Math.ceil(Number(reply.getHeader('content-length') ?? 0) / 1_024);
    budgets.rows.add(user, Math.max(request.rowsRead, kibibytes));
    // The response to a HEAD request costs as much as one with rows, but has none.
    if (request.method !== 'GET') return;
    const route = request.routeOptions.url ?? '';
    let windows = windowsOf.get(route);
    if (!windows) {
      windows = new Map();
      windowsOf.set(route, windows);
    }
    const rows = addRows(windows, user, request.rowsRead, clock());
    if (rows < MASS_READ.rows || timesDoubled(rows) === timesDoubled(rows - request.rowsRead)) return;
    request.log.info(
      { reqId: request.id, req: request, user, ...(key && { key }), rows, from: request.ip },
      'many rows read',
    );
  };
}

/** Returns how many rows the person has read in the current window. Above `maxPeople`, the oldest is forgotten. */
export function addRows(windows: Map<string, Window>, personId: string, rows: number, now: number): number {
  const current = windows.get(personId);
  if (current && now - current.startedAt < MASS_READ.windowMs) {
    current.rows += rows;
    return current.rows;
  }
  // A new window goes to the end of the map, so the first one is the oldest.
  windows.delete(personId);
  if (windows.size >= MASS_READ.maxPeople) {
    const [oldest = ''] = windows.keys();
    windows.delete(oldest);
  }
  windows.set(personId, { rows, startedAt: now });
  return rows;
}

function timesDoubled(rows: number): number {
  return Math.floor(Math.log2(Math.max(rows, 1) / MASS_READ.rows));
}
