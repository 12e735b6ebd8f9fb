import type { Chance } from './chance.ts';
import type { Known } from './from-schema.ts';
import type { Person } from './people.ts';

/** Rows that exist, so that a request can get past "there is no such item". */
export type KnownRows = {
  items: string[];
  deleted: string[];
  movements: string[];
  entries: string[];
  batches: string[];
  people: string[];
  cursors: string[];
  alertsUpTo: string[];
  pictures: string[];
};

export async function knownRows(url: string, { cookie }: Person): Promise<KnownRows> {
  const read = async (path: string) => {
    const answer = await fetch(url + path, { headers: { cookie } });
    if (!answer.ok) throw new Error(`${path} could not be read: ${answer.status}`);
    return { body: (await answer.json()) as Record<string, string>[], headers: answer.headers };
  };
  const items = await read('/all-inventory-items?limit=50');
  const history = await read('/history?limit=200');
  const people = await read('/history/people');
  const alerts = await read('/alerts?limit=1');
  const of = (kind: RegExp) => history.body.filter((entry) => kind.test(entry.kind ?? ''));
  const ids = (list: Record<string, string>[], name: string) => list.map((one) => one[name] ?? '').filter(Boolean);
  return {
    items: ids(items.body, '_id'),
    deleted: ids(of(/^deleted$/), 'itemId'),
    movements: ids(of(/^(?:deliver|restock|correction|undo|opening)$/), 'id'),
    entries: ids(history.body, 'id'),
    batches: [...new Set(ids(history.body, 'batch'))],
    people: ids(people.body, 'id'),
    cursors: [items, history].map(({ headers }) => /cursor=([^&>]+)/.exec(headers.get('link') ?? '')?.[1] ?? ''),
    alertsUpTo: [alerts.headers.get('x-alerts-up-to') ?? '0-0'],
    pictures: ['/bottles/oud-clair.svg', 'https://pictures.example/a.png', 'http://pictures.example/b'],
  };
}

/** Sensible values by the name of a field, for one route and one asker. */
export function valuesFrom(rows: KnownRows, path: string, person: Person | null): Known {
  return (name, chance) => {
    switch (name) {
      case 'id':
        return idFor(rows, path, chance);
      case '_id':
      case 'item':
      case 'after':
        return one(rows.items, chance);
      case 'ids':
        return Array.from({ length: chance.whole(1, 4) }, () => chance.pick([...rows.items, ...rows.deleted]));
      case 'batch':
        return uuidFrom(chance);
      case 'by':
        return one(rows.people, chance);
      case 'cursor':
        return decodeURIComponent(one(rows.cursors, chance) ?? '');
      case 'upTo':
        return one(rows.alertsUpTo, chance);
      case 'img':
        return one(rows.pictures, chance);
      case 'email':
        return path === '/login' || path === '/my-items' || path.includes('sign-in') ? person?.email : undefined;
      case 'password':
      case 'currentPassword':
        return person?.password;
      case 'newPassword':
        return `${chance.pick(['amber', 'cedar', 'vetiver', 'neroli'])}-lamp-${chance.whole(1_000, 9_999)}`;
      case 'returnTo':
        return chance.pick(['/', '/dashboard/my-item?q=a#b', '//evil.example', '/\\evil.example']);
      case 'q':
      case 'supplier':
        return chance.pick(['oud', 'a', 'Verr', 'né', '%', '"', 'zzz']);
      case 'provider':
        return chance.pick(['github', 'google', 'oidc']);
      default:
        return undefined;
    }
  };
}

function idFor(rows: KnownRows, path: string, chance: Chance): string | undefined {
  if (chance.happens(0.05)) return uuidFrom(chance);
  if (path.startsWith('/movements/')) return one(rows.movements, chance);
  if (path.startsWith('/history/')) return one(rows.entries, chance);
  if (path.startsWith('/batches/')) return one(rows.batches, chance) ?? uuidFrom(chance);
  if (path.endsWith('/restore')) return one([...rows.deleted, ...rows.items.slice(0, 3)], chance);
  return one(rows.items, chance);
}

function one(list: string[], chance: Chance): string | undefined {
  return list.length === 0 ? undefined : chance.pick(list);
}

export function uuidFrom(chance: Chance): string {
  const hex = Array.from({ length: 32 }, () => chance.whole(0, 15).toString(16)).join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
}
