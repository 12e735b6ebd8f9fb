import { randomUUID } from 'node:crypto';
import { perfume } from './perfumes.ts';

export type Click = { key: string; itemId: string; delta: number };

/** The outcome of a click: done, refused, or unknown because the connection broke. */
export type Outcome = 'done' | 'refused' | 'unknown';

/** Logs in as a person would, through the API, and returns the session cookie. */
export async function signIn(url: string): Promise<string> {
  const answer = await fetch(`${url}/demo/sign-in`, { method: 'POST' });
  if (!answer.ok) throw new Error(`no sign-in: ${answer.status}`);
  return (answer.headers.getSetCookie()[0] ?? '').split(';')[0] ?? '';
}

export async function addItem(url: string, cookie: string, quantity: number, more: object = {}): Promise<string> {
  const body = JSON.stringify({ ...perfume(quantity), quantity, ...more });
  const answer = await fetch(`${url}/new-inventory-item`, { method: 'POST', headers: headers(cookie), body });
  if (answer.status !== 201) throw new Error(`no item: ${await answer.text()}`);
  return ((await answer.json()) as { _id: string })._id;
}

/** Creates items through the API, many at a time, as an import would. Returns their ids. */
export async function addItems(url: string, cookie: string, count: number, itemOf: (n: number) => object) {
  const ids: string[] = [];
  let next = 0;
  const add = async () => {
    while (next < count) {
      const body = JSON.stringify(itemOf(next++));
      const answer = await fetch(`${url}/new-inventory-item`, { method: 'POST', headers: headers(cookie), body });
      if (answer.status !== 201) throw new Error(`no item: ${await answer.text()}`);
      ids.push(((await answer.json()) as { _id: string })._id);
    }
  };
  await Promise.all(Array.from({ length: 64 }, add));
  return ids;
}

export function newClick(itemId: string, delta: number): Click {
  return { key: randomUUID(), itemId, delta };
}

/** Sends a click from a screen that shows the quantity `base`, which may be outdated. */
export async function send(
  url: string,
  cookie: string,
  click: Click,
  base: number,
): Promise<{ outcome: Outcome; body: string }> {
  try {
    const answer = await fetch(`${url}/inventory-items/${click.itemId}`, {
      method: 'PUT',
      headers: { ...headers(cookie), 'stock-base': String(base), 'idempotency-key': click.key },
      body: JSON.stringify({ quantity: String(base + click.delta) }),
    });
    const body = await answer.text();
    if (answer.status === 200) return { outcome: 'done', body };
    return { outcome: answer.status === 409 ? 'refused' : 'unknown', body };
  } catch {
    return { outcome: 'unknown', body: '' };
  }
}

export type Movement = { id: string; delta: number; quantityAfter: number };

export async function ledgerOf(url: string, cookie: string, itemId: string): Promise<Movement[]> {
  const movements: Movement[] = [];
  let next: string | undefined = `/inventory-items/${itemId}/movements?limit=200`;
  while (next) {
    const answer: Response = await fetch(url + next, { headers: { cookie } });
    movements.push(...((await answer.json()) as Movement[]));
    next = /<([^>]+)>/.exec(answer.headers.get('link') ?? '')?.[1];
  }
  return movements;
}

export async function onHand(url: string, cookie: string, itemId: string): Promise<number> {
  const answer = await fetch(`${url}/manage-inventory?_id=${itemId}`, { headers: { cookie } });
  return Number(((await answer.json()) as { quantity: string }[])[0]?.quantity);
}

function headers(cookie: string): Record<string, string> {
  return { cookie, 'content-type': 'application/json' };
}
