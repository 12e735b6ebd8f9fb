import type { Chance } from './chance.ts';
import { valueFor } from './from-schema.ts';
import { breakText, spoil, type Tree, textOf, treeOf } from './json-tree.ts';
import { type KnownRows, uuidFrom, valuesFrom } from './known-rows.ts';
import { nastyNames, nastyTexts } from './nasty.ts';
import { oddHeaders, oddTypes, spoilTarget } from './odd-http.ts';
import type { Person } from './people.ts';
import type { Route } from './routes.ts';
import type { Asked } from './wire.ts';

export type World = { people: Person[]; rows: KnownRows; host: string };

/** A request that the contract would take, then up to three things wrong with it. */
export function requestFor(route: Route, world: World, chance: Chance): Asked {
  const person = chance.pick(world.people);
  const known = valuesFrom(world.rows, route.path, person);
  const segments = route.path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String(known(name, chance) ?? chance.pick(['demo.css', 'a.js', 'x', 'github']))),
  );
  const query: [string, string][] = [];
  for (const [name, schema] of Object.entries(route.query)) {
    if (route.neededQuery.includes(name) || chance.happens(0.3))
      query.push([name, String(valueFor(schema, name, chance, known))]);
  }
  let tree: Tree | undefined = route.body ? treeOf(valueFor(route.body, '', chance, known)) : undefined;
  const headers: [string, string][] = [
    ...(chance.happens(0.005) ? [] : [['Host', world.host] as [string, string]]),
    ['X-Forwarded-For', `10.${chance.whole(0, 99)}.${chance.whole(0, 255)}.${chance.whole(1, 254)}`],
    ...credentials(route, person, chance),
    ...ownHeaders(route, chance),
  ];

  const draft = { method: route.method, target: '', type: 'application/json' as string | null, broken: false };
  const framing: Asked['framing'] = chance.happens(0.15) ? 'chunked' : 'length';
  const extra: [string, string][] = [];
  const spoilers = [
    ...(tree === undefined ? [] : ['tree', 'tree', 'tree', 'text', 'type']),
    ...(query.length === 0 ? ['target'] : ['query', 'query', 'target']),
    ...['header', 'header', 'method', 'key'],
  ];
  const faults = chance.pick([0, 0, 1, 1, 1, 1, 1, 2, 2, 3]);
  for (let fault = 0; fault < faults; fault++) {
    switch (chance.pick(spoilers)) {
      case 'tree':
        if (tree !== undefined) tree = spoil(tree, chance);
        break;
      case 'text':
        draft.broken = true;
        break;
      case 'type':
        draft.type = chance.pick(oddTypes);
        break;
      case 'query':
        spoilQuery(query, chance);
        break;
      case 'target':
        draft.target = 'spoilt';
        break;
      case 'method':
        if (chance.happens(0.5))
          draft.method = chance.pick(['HEAD', 'OPTIONS', 'PATCH', 'TRACE', 'PROPFIND', 'DELETE', 'PUT', 'POST', 'GET']);
        break;
      case 'key':
        extra.push(['Idempotency-Key', chance.pick([...nastyTexts.filter(isOneLine), uuidFrom(chance)])]);
        break;
      default:
        extra.push(chance.pick(oddHeaders));
    }
  }

  const search = query.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
  const whole = search ? `${segments}?${search}` : segments;
  const target = draft.target === 'spoilt' ? spoilTarget(whole, chance) : whole;
  const body = bodyFor(route, tree, draft.broken, chance);
  if (body && draft.type !== null) headers.push(['Content-Type', route.sends[0] ?? draft.type]);
  const version = chance.happens(0.01) ? '1.0' : '1.1';
  const both = body !== null && chance.happens(0.01);
  return {
    method: draft.method,
    target,
    version,
    headers: [...headers, ...extra],
    body,
    // HTTP/1.0 knows no chunks.
    framing: both ? 'both' : version === '1.0' ? 'length' : framing,
  };
}

function bodyFor(route: Route, tree: Tree | undefined, broken: boolean, chance: Chance): Buffer | null {
  if (route.sends.length > 0) return picture(chance);
  if (tree === undefined) {
    if (route.method !== 'POST' || !chance.happens(0.1)) return null;
    return Buffer.from(chance.pick(['', '{}', '{"a":1}', 'null', 'grant_type=authorization_code&code=x', '\u0000']));
  }
  return broken ? breakText(textOf(tree), chance) : Buffer.from(textOf(tree));
}

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** A pixel, as it is or damaged, or something that only claims to be a picture. */
function picture(chance: Chance): Buffer {
  switch (chance.whole(0, 5)) {
    case 0:
      return PIXEL.subarray(0, chance.whole(0, PIXEL.length - 1));
    case 1: {
      const damaged = Buffer.from(PIXEL);
      damaged[chance.whole(0, damaged.length - 1)] = chance.whole(0, 255);
      return damaged;
    }
    case 2:
      return Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="flag()"/>');
    case 3:
      return Buffer.concat([PIXEL.subarray(0, 16), Buffer.from('ffffffffffffffff', 'hex'), PIXEL.subarray(24)]);
    case 4:
      return Buffer.from(chance.pick(nastyTexts));
    default:
      return PIXEL;
  }
}

function credentials({ endpoint, path }: Route, person: Person, chance: Chance): [string, string][] {
  const cookie: [string, string] = ['Cookie', person.cookie];
  const token: [string, string] = ['Authorization', `Bearer ${person.token}`];
  // Signing out for real would leave the others of the batch outside.
  if (path.endsWith('/sign-out') && chance.happens(0.95)) return [];
  const roll = chance.next();
  if (roll < 0.12) return [];
  if (roll < 0.2) return [endpoint?.who === 'bearer' ? cookie : token];
  if (roll < 0.24) return [['Cookie', spoiltSecret(person.cookie, chance)]];
  if (roll < 0.28) return [['Authorization', `Bearer ${spoiltSecret(person.token, chance)}`]];
  if (roll < 0.3) return [cookie, token];
  return [endpoint?.who === 'bearer' ? token : cookie];
}

function spoiltSecret(secret: string, chance: Chance): string {
  const at = chance.whole(0, secret.length - 1);
  return chance.pick([
    secret.slice(0, at),
    `${secret.slice(0, at)}${chance.pick(['A', '.', '%00', '=', ';'])}${secret.slice(at + 1)}`,
    `${secret}; ${secret}`,
    secret.replace(/=.*$/, '='),
    secret.toUpperCase(),
  ]);
}

function ownHeaders({ headers }: Route, chance: Chance): [string, string][] {
  const own: [string, string][] = [];
  if (headers.includes('idempotency-key') && chance.happens(0.6)) own.push(['Idempotency-Key', uuidFrom(chance)]);
  if (headers.includes('stock-base') && chance.happens(0.6)) own.push(['Stock-Base', String(chance.whole(0, 60))]);
  if (headers.includes('if-match') && chance.happens(0.15)) own.push(['If-Match', `"${chance.whole(1, 5)}"`]);
  if (headers.includes('last-event-id') && chance.happens(0.5)) own.push(['Last-Event-ID', `${chance.whole(0, 99)}-1`]);
  return own;
}

function spoilQuery(query: [string, string][], chance: Chance): void {
  const at = query.length === 0 ? 0 : chance.whole(0, query.length - 1);
  const name = query[at]?.[0] ?? 'limit';
  switch (chance.whole(0, 5)) {
    case 0:
      query.push([name, query[at]?.[1] ?? '1']);
      break;
    case 1:
      query.push([chance.pick([...nastyNames, `${name}[]`, `${name}[a]`]), chance.pick(nastyTexts)]);
      break;
    case 2:
      query.splice(at, 1);
      break;
    default:
      query[at] = [name, chance.pick(nastyTexts)];
  }
}

/** Percent-encoded, half a surrogate as the three bytes some programs write for it. */
function encode(text: string): string {
  return text.isWellFormed() ? encodeURIComponent(text) : '%ED%A0%80';
}

function isOneLine(text: string): boolean {
  return !/[\u0000-\u001f\u007f]/.test(text) && text.length < 4_000;
}
