import { valueFor } from './from-schema.ts';
import { breakJson, damage, type Tree, textOf, treeOf } from './json-tree.ts';
import { type KnownRows, uuidFrom, valuesFrom } from './known-rows.ts';
import { nastyNames, nastyTexts } from './nasty-values.ts';
import { damageTarget, oddHeaders, oddTypes } from './odd-http.ts';
import type { Person } from './people.ts';
import type { Random } from './random.ts';
import type { Route } from './routes.ts';
import type { RawRequest } from './wire.ts';

export type Context = { people: Person[]; rows: KnownRows; host: string };

/** A request that the contract accepts, with up to three defects added. */
export function requestFor(route: Route, context: Context, random: Random): RawRequest {
  const person = random.pick(context.people);
  const known = valuesFrom(context.rows, route.path, person);
  const segments = route.path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String(known(name, random) ?? random.pick(['demo.css', 'a.js', 'x', 'github']))),
  );
  const query: [string, string][] = [];
  for (const [name, schema] of Object.entries(route.query)) {
    if (route.neededQuery.includes(name) || random.happens(0.3))
      query.push([name, String(valueFor(schema, name, random, known))]);
  }
  let tree: Tree | undefined = route.body ? treeOf(valueFor(route.body, '', random, known)) : undefined;
  const headers: [string, string][] = [
    ...(random.happens(0.005) ? [] : [['Host', context.host] as [string, string]]),
    ['X-Forwarded-For', `10.${random.whole(0, 99)}.${random.whole(0, 255)}.${random.whole(1, 254)}`],
    ...credentials(route, person, random),
    ...ownHeaders(route, random),
  ];

  const draft = { method: route.method, target: '', type: 'application/json' as string | null, broken: false };
  const framing: RawRequest['framing'] = random.happens(0.15) ? 'chunked' : 'length';
  const extra: [string, string][] = [];
  const defects = [
    ...(tree === undefined ? [] : ['tree', 'tree', 'tree', 'text', 'type']),
    ...(query.length === 0 ? ['target'] : ['query', 'query', 'target']),
    ...['header', 'header', 'method', 'key'],
  ];
  const faults = random.pick([0, 0, 1, 1, 1, 1, 1, 2, 2, 3]);
  for (let fault = 0; fault < faults; fault++) {
    switch (random.pick(defects)) {
      case 'tree':
        if (tree !== undefined) tree = damage(tree, random);
        break;
      case 'text':
        draft.broken = true;
        break;
      case 'type':
        draft.type = random.pick(oddTypes);
        break;
      case 'query':
        damageQuery(query, random);
        break;
      case 'target':
        draft.target = 'damaged';
        break;
      case 'method':
        if (random.happens(0.5))
          draft.method = random.pick(['HEAD', 'OPTIONS', 'PATCH', 'TRACE', 'PROPFIND', 'DELETE', 'PUT', 'POST', 'GET']);
        break;
      case 'key':
        extra.push(['Idempotency-Key', random.pick([...nastyTexts.filter(isOneLine), uuidFrom(random)])]);
        break;
      default:
        extra.push(random.pick(oddHeaders));
    }
  }

  const search = query.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
  const whole = search ? `${segments}?${search}` : segments;
  const target = draft.target === 'damaged' ? damageTarget(whole, random) : whole;
  const body = bodyFor(route, tree, draft.broken, random);
  if (body && draft.type !== null) headers.push(['Content-Type', route.sends[0] ?? draft.type]);
  const version = random.happens(0.01) ? '1.0' : '1.1';
  const both = body !== null && random.happens(0.01);
  return {
    method: draft.method,
    target,
    version,
    headers: [...headers, ...extra],
    body,
    // HTTP/1.0 has no chunked encoding.
    framing: both ? 'both' : version === '1.0' ? 'length' : framing,
  };
}

function bodyFor(route: Route, tree: Tree | undefined, broken: boolean, random: Random): Buffer | null {
  if (route.sends.length > 0) return picture(random);
  if (tree === undefined) {
    if (route.method !== 'POST' || !random.happens(0.1)) return null;
    return Buffer.from(random.pick(['', '{}', '{"a":1}', 'null', 'grant_type=authorization_code&code=x', '\u0000']));
  }
  return broken ? breakJson(textOf(tree), random) : Buffer.from(textOf(tree));
}

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** A valid or damaged one-pixel picture, or something that only claims to be a picture. */
function picture(random: Random): Buffer {
  switch (random.whole(0, 5)) {
    case 0:
      return PIXEL.subarray(0, random.whole(0, PIXEL.length - 1));
    case 1: {
      const damaged = Buffer.from(PIXEL);
      damaged[random.whole(0, damaged.length - 1)] = random.whole(0, 255);
      return damaged;
    }
    case 2:
      return Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="flag()"/>');
    case 3:
      return Buffer.concat([PIXEL.subarray(0, 16), Buffer.from('ffffffffffffffff', 'hex'), PIXEL.subarray(24)]);
    case 4:
      return Buffer.from(random.pick(nastyTexts));
    default:
      return PIXEL;
  }
}

function credentials({ endpoint, path }: Route, person: Person, random: Random): [string, string][] {
  const cookie: [string, string] = ['Cookie', person.cookie];
  const token: [string, string] = ['Authorization', `Bearer ${person.token}`];
  // A real logout would end the session of the other requests in the batch, so most are sent without credentials.
  if (path.endsWith('/sign-out') && random.happens(0.95)) return [];
  const roll = random.next();
  if (roll < 0.12) return [];
  if (roll < 0.2) return [endpoint?.who === 'bearer' ? cookie : token];
  if (roll < 0.24) return [['Cookie', damagedSecret(person.cookie, random)]];
  if (roll < 0.28) return [['Authorization', `Bearer ${damagedSecret(person.token, random)}`]];
  if (roll < 0.3) return [cookie, token];
  return [endpoint?.who === 'bearer' ? token : cookie];
}

function damagedSecret(secret: string, random: Random): string {
  const at = random.whole(0, secret.length - 1);
  return random.pick([
    secret.slice(0, at),
    `${secret.slice(0, at)}${random.pick(['A', '.', '%00', '=', ';'])}${secret.slice(at + 1)}`,
    `${secret}; ${secret}`,
    secret.replace(/=.*$/, '='),
    secret.toUpperCase(),
  ]);
}

function ownHeaders({ headers }: Route, random: Random): [string, string][] {
  const own: [string, string][] = [];
  if (headers.includes('idempotency-key') && random.happens(0.6)) own.push(['Idempotency-Key', uuidFrom(random)]);
  if (headers.includes('stock-base') && random.happens(0.6)) own.push(['Stock-Base', String(random.whole(0, 60))]);
  if (headers.includes('if-match') && random.happens(0.15)) own.push(['If-Match', `"${random.whole(1, 5)}"`]);
  if (headers.includes('last-event-id') && random.happens(0.5)) own.push(['Last-Event-ID', `${random.whole(0, 99)}-1`]);
  return own;
}

function damageQuery(query: [string, string][], random: Random): void {
  const at = query.length === 0 ? 0 : random.whole(0, query.length - 1);
  const name = query[at]?.[0] ?? 'limit';
  switch (random.whole(0, 5)) {
    case 0:
      query.push([name, query[at]?.[1] ?? '1']);
      break;
    case 1:
      query.push([random.pick([...nastyNames, `${name}[]`, `${name}[a]`]), random.pick(nastyTexts)]);
      break;
    case 2:
      query.splice(at, 1);
      break;
    default:
      query[at] = [name, random.pick(nastyTexts)];
  }
}

/** Percent-encodes a text. A text with a lone surrogate becomes the three bytes that some programs write for one. */
function encode(text: string): string {
  return text.isWellFormed() ? encodeURIComponent(text) : '%ED%A0%80';
}

function isOneLine(text: string): boolean {
  return !/[\u0000-\u001f\u007f]/.test(text) && text.length < 4_000;
}
