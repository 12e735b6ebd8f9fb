import type { Known } from './from-schema.ts';
import type { Person } from './people.ts';
import type { Random } from './random.ts';

/** The ids of existing rows, so that a request can get past "not found". */
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

/** Sensible values by field name, for one route and one caller. */
export function valuesFrom(rows: KnownRows, path: string, person: Person | null): Known {
  return (name, random) => {
    switch (name) {
      case 'id':
        return idFor(rows, path, random);
      case '_id':
      case 'item':
      case 'after':
        return one(rows.items, random);
      case 'ids':
        return Array.from({ length: random.whole(1, 4) }, () => random.pick([...rows.items, ...rows.deleted]));
      case 'batch':
        return uuidFrom(random);
      case 'by':
        return one(rows.people, random);
      case 'cursor':
        return decodeURIComponent(one(rows.cursors, random) ?? '');
      case 'upTo':
        return one(rows.alertsUpTo, random);
      case 'img':
        return one(rows.pictures, random);
      case 'email':
        return path === '/login' || path === '/my-items' || path.includes('sign-in') ? person?.email : undefined;
      case 'password':
      case 'currentPassword':
        return person?.password;
      case 'newPassword':
        return `${random.pick(['amber', 'cedar', 'vetiver', 'neroli'])}-lamp-${random.whole(1_000, 9_999)}`;
      case 'returnTo':
        return random.pick(['/', '/dashboard/my-item?q=a#b', '//evil.example', '/\\evil.example']);
      case 'q':
      case 'supplier':
        return random.pick(['oud', 'a', 'Verr', 'né', '%', '"', 'zzz']);
      case 'provider':
        return random.pick(['github', 'google', 'oidc']);
      default:
        return undefined;
    }
  };
}

function idFor(rows: KnownRows, path: string, random: Random): string | undefined {
  if (random.happens(0.05)) return uuidFrom(random);
  if (path.startsWith('/movements/')) return one(rows.movements, random);
  if (path.startsWith('/history/')) return one(rows.entries, random);
  if (path.startsWith('/batches/')) return one(rows.batches, random) ?? uuidFrom(random);
  if (path.endsWith('/restore')) return one([...rows.deleted, ...rows.items.slice(0, 3)], random);
  return one(rows.items, random);
}

function one(list: string[], random: Random): string | undefined {
  return list.length === 0 ? undefined : random.pick(list);
}

export function uuidFrom(random: Random): string {
  const hex = Array.from({ length: 32 }, () => random.whole(0, 15).toString(16)).join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
}
