import pg from 'pg';

const CHANNEL = 'perfume_changes';
/** A notification can be lost with the server that was about to send it; nobody waits longer than this for a change. */
const SAFETY_POLL_MS = 500;
const RECONNECT_MS = 1_000;

/**
 * Tells all servers of one database that something was committed. The notification is sent after the commit and
 * gathered over a moment: inside the transaction, PostgreSQL would let only one notifying commit through at a time.
 */
export async function listenForCommits(url: string, pool: pg.Pool) {
  const listeners = new Set<() => void>();
  let ear: pg.Client | null = null;
  let closed = false;
  let announcing = false;

  function hear(): void {
    for (const listener of listeners) listener();
  }

  async function listen(): Promise<void> {
    const client = new pg.Client({
      connectionString: url,
      keepAlive: true,
      application_name: 'perfume-warehouse feed',
    });
    client.on('notification', hear);
    client.on('error', () => {});
    try {
      await client.connect();
      await client.query(`listen ${CHANNEL}`);
    } catch (error) {
      // A standby lets one in and refuses to listen: the connection would stay, one more with every try.
      await client.end().catch(() => {});
      throw error;
    }
    ear = client;
    client.once('end', listenAgain);
    if (closed) await client.end();
    else hear();
  }

  function listenAgain(): void {
    ear = null;
    if (!closed) setTimeout(() => void listen().catch(listenAgain), RECONNECT_MS).unref();
  }

  await listen();
  const poll = setInterval(() => {
    if (listeners.size > 0) hear();
  }, SAFETY_POLL_MS);
  poll.unref();

  return {
    onCommit(listener: () => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    announce(): void {
      if (announcing || closed) return;
      announcing = true;
      setTimeout(() => {
        announcing = false;
        if (!closed) pool.query(`notify ${CHANNEL}`).catch(() => {});
      }, 5);
    },
    async close(): Promise<void> {
      closed = true;
      clearInterval(poll);
      await ear?.end();
    },
  };
}
