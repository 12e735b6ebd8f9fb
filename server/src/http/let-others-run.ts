const MAX_TURN_MS = 5;
let startedAt: number | null = null;

/**
 * Lets other requests run if it was first called long ago in this turn of the event loop. SQLite queries are synchronous, so
 * without this a person's lists that wait for each other would all run in one turn.
 */
export async function letOthersRun(): Promise<void> {
  const now = performance.now();
  if (startedAt === null) {
    startedAt = now;
    setImmediate(() => {
      startedAt = null;
    });
  } else if (now - startedAt > MAX_TURN_MS) await new Promise(setImmediate);
}
