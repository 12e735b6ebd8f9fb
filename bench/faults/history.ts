import { createWriteStream, type WriteStream } from 'node:fs';

/** What a person requested, in the terms of the API. `item` is the item's id. */
export type Action =
  | { what: 'put'; item: string; base: number; delta: number }
  | { what: 'move'; item: string; delta: number }
  | { what: 'undo'; item: string; movement: string }
  | { what: 'create'; name: string; quantity: number }
  | { what: 'delete' | 'restore' | 'read-item' | 'read-ledger'; item: string }
  | { what: 'read-list' };

/** One transmission of one request. Times are milliseconds of a monotonic clock. */
export type Attempt = {
  client: number;
  operation: number;
  /** The idempotency key; null for a read. */
  key: string | null;
  action: Action;
  sentAt: number;
  /** Null if there was no response, or an incomplete one. */
  answeredAt: number | null;
  status: number | null;
  body: string | null;
};

export type Movement = {
  id: string;
  kind: string;
  delta: number;
  quantityAfter: number;
  note: string | null;
  undoes: string | null;
};

/** What the public API says about an item at the end. Ledger and events are oldest first. */
export type FinalItem = {
  id: string;
  /** Null if the item is deleted. */
  current: { name: string; quantity: number } | null;
  ledger: Movement[];
  events: { id: string; kind: 'deleted' | 'restored' }[];
};

export type History = { attempts: Attempt[]; items: FinalItem[] };

/** Records every attempt, and writes each as a line of JSON if a file is given. */
export function recorder(file?: string) {
  const attempts: Attempt[] = [];
  const stream: WriteStream | null = file ? createWriteStream(file) : null;
  return {
    attempts,
    add(attempt: Attempt): void {
      attempts.push(attempt);
      stream?.write(`${JSON.stringify(attempt)}\n`);
    },
    async close(): Promise<void> {
      if (stream) await new Promise<void>((resolve) => stream.end(resolve));
    },
  };
}

export type Recorder = ReturnType<typeof recorder>;
