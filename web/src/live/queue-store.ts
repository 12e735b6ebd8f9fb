import { type DBSchema, openDB } from 'idb';
import { isUndoOf, type StoredChange, undoUnderNewKey } from './stored-change.ts';

/** Where changes of stock are stored until the server has answered. */
export type QueueStore = {
  /** Returns a person's changes in the order in which they were made. */
  all(userId: string): Promise<StoredChange[]>;
  /** Stores a change durably. Rejects when the device has no space. */
  add(change: StoredChange): Promise<void>;
  /**
   * Replaces a change by what `next` returns, or removes it for null. Reading and writing are one transaction, so two
   * tabs cannot decide differently about one change. If that gives the change a new key, its undos follow in the same
   * transaction: an undo of the old key could never be made. Resolves with what is stored afterwards.
   */
  change(id: string, next: (now: StoredChange | null) => StoredChange | null): Promise<StoredChange | null>;
};

interface Schema extends DBSchema {
  changes: { key: number; value: StoredChange; indexes: { id: string; userId: string } };
}

/** Opens the store in this browser. */
export async function openQueueStore(): Promise<QueueStore> {
  const db = await openDB<Schema>('stock-queue', 1, {
    upgrade: (db) => {
      const changes = db.createObjectStore('changes', { keyPath: 'num', autoIncrement: true });
      changes.createIndex('id', 'id', { unique: true });
      changes.createIndex('userId', 'userId');
    },
    // Another tab has a newer version of the app. This tab stores nothing until it is reloaded.
    blocking: (_from, _to, event) => (event.target as IDBDatabase).close(),
  });
  const writing = () => db.transaction('changes', 'readwrite', { durability: 'strict' });
  return {
    all: (userId) => db.getAllFromIndex('changes', 'userId', userId),
    add: async (change) => {
      const transaction = writing();
      await Promise.all([transaction.store.add(change), transaction.done]);
    },
    change: async (id, next) => {
      const transaction = writing();
      const { store } = transaction;
      const now = (await store.index('id').get(id)) ?? null;
      const then = next(now);
      if (then !== now) {
        if (then !== null) await store.put(then);
        else if (now?.num !== undefined) await store.delete(now.num);
      }
      if (now && then && then.id !== now.id)
        for (const one of await store.index('userId').getAll(now.userId))
          if (isUndoOf(one, now.id)) await store.put(undoUnderNewKey(one, then));
      await transaction.done;
      return then;
    },
  };
}
