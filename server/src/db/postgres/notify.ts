import pg from 'pg';

const CHANNEL = 'perfume_changes';
/** A notification is lost when the server that should send it dies, so listeners are also called at this interval. */
const SAFETY_POLL_MS = 500;
const RECONNECT_MS = 1_000;
const NOTIFY_DELAY_MS = 5;

/**
 * Tells every server on this database about commits. NOTIFY is sent after the commit and debounced: inside the
 * transaction it would take a global lock, and PostgreSQL would run such commits one at a time.
 */
export async function listenForCommits(url: string, pool: pg.Pool) {
  const listeners = new Set<() => void>();
  let connection: pg.Client | null = null;
  let closed = false;
  let announcing = false;

  function notifyListeners(): void {
    for (const listener of listeners) listener();
  }

  async function listen(): Promise<void> {
    const client = new pg.Client({
      connectionString: url,
      keepAlive: true,
      application_name: 'perfume-warehouse feed',
    });
    client.on('notification', notifyListeners);
    client.on('error', () => {});
    try {
      await client.connect();
      await client.query(`listen ${CHANNEL}`);
    } catch (error) {
      // A standby accepts the connection but rejects LISTEN. Without closing it, each attempt would leak a connection.
      await client.end().catch(() => {});
      throw error;
    }
    connection = client;
    client.once('end', reconnect);
    if (closed) await client.end();
    else notifyListeners();
  }

  function reconnect(): void {
    connection = null;
    if (!closed) setTimeout(() => void listen().catch(reconnect), RECONNECT_MS).unref();
  }

  await listen();
  const poll = setInterval(() => {
    if (listeners.size > 0) notifyListeners();
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
      }, NOTIFY_DELAY_MS);
    },
    async close(): Promise<void> {
      closed = true;
      clearInterval(poll);
      await connection?.end();
    },
  };
}
