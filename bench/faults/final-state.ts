import type { FinalItem, Movement } from './history.ts';

/** Reads the final state through the public API: every item of this run with its whole ledger. */
export async function readFinalState(
  url: string,
  cookie: string,
  { known, ofThisRun }: { known: Iterable<string>; ofThisRun: (name: string) => boolean },
): Promise<FinalItem[]> {
  const current = new Map<string, { name: string; quantity: number }>();
  for (const item of await pages<WireItem>(url, cookie, '/all-inventory-items?limit=200')) {
    if (ofThisRun(item.name)) current.set(item._id, { name: item.name, quantity: Number(item.quantity) });
  }
  const items: FinalItem[] = [];
  for (const id of new Set([...known, ...current.keys()])) {
    const ledger = await pages<Movement>(url, cookie, `/inventory-items/${id}/movements?limit=200`);
    if (ledger.length === 0) continue;
    const [deleted, restored] = await Promise.all([
      pages<Event>(url, cookie, `/history?item=${id}&kind=deleted&limit=500`),
      pages<Event>(url, cookie, `/history?item=${id}&kind=restored&limit=500`),
    ]);
    items.push({
      id,
      current: current.get(id) ?? null,
      ledger: ledger.reverse(),
      events: [...deleted, ...restored].map(({ id, kind }) => ({ id, kind })),
    });
  }
  return items;
}

type WireItem = { _id: string; name: string; quantity: string };
type Event = { id: string; kind: 'deleted' | 'restored' };

const POLL_MS = 200;
const TIMEOUT_MS = 30_000;

async function pages<T>(url: string, cookie: string, first: string): Promise<T[]> {
  const rows: T[] = [];
  let next: string | undefined = first;
  while (next) {
    const answer = await fetchWithRetries(url + next, cookie);
    if (answer.status === 404) return [];
    rows.push(...((await answer.json()) as T[]));
    next = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
  }
  return rows;
}

/** Fetches with retries: all faults are over, but the servers may still be recovering. */
async function fetchWithRetries(address: string, cookie: string): Promise<Response> {
  for (const deadline = performance.now() + TIMEOUT_MS; ; ) {
    const answer = await fetch(address, { headers: { cookie } }).catch(() => null);
    if (answer?.ok || answer?.status === 404) return answer;
    if (performance.now() > deadline)
      throw new Error(`the last look failed: ${answer?.status ?? 'no answer'} ${address}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
