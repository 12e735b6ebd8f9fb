import { nastyTexts } from './nasty-values.ts';
import type { Random } from './random.ts';

export const oddTypes: readonly (string | null)[] = [
  null,
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'multipart/form-data',
  'application/xml',
  'application/JSON',
  'application/json; charset=utf-16',
  'application/json;charset="',
  'application/json, text/plain',
  'application/jsonx',
  'application/problem+json',
  'application/merge-patch+json',
  'json',
  '/',
  '',
  ';',
  'image/png',
  'application/json\u00a0',
];

export const oddHeaders: readonly [string, string][] = [
  ['Origin', 'https://evil.example'],
  ['Origin', 'null'],
  ['Origin', ''],
  ['Origin', 'http://[::1'],
  ['Sec-Fetch-Site', 'cross-site'],
  ['Sec-Fetch-Site', 'same-site'],
  ['Host', 'evil.example'],
  ['Host', ''],
  ['Host', 'a b'],
  ['X-Forwarded-For', 'not an address'],
  ['X-Forwarded-For', '::1, 127.0.0.1, , ,'],
  ['X-Forwarded-For', `${'1.2.3.4,'.repeat(400)}`],
  ['X-Forwarded-For', 'fe80::1%eth0'],
  ['X-Forwarded-Host', 'evil.example'],
  ['X-Forwarded-Proto', 'javascript'],
  ['Forwarded', 'for="[::1]";host=evil.example'],
  ['X-HTTP-Method-Override', 'DELETE'],
  ['X-Original-URL', '/metrics'],
  ['X-Warehouse-Client-Address', '1.2.3.4'],
  ['Accept', 'text/html'],
  ['Accept', '*/*;q=x'],
  ['Accept', ''],
  ['Accept-Encoding', 'br;q=0, *'],
  ['Accept-Encoding', 'gzip, deflate, br, zstd'],
  ['Accept-Language', `${'x-'.repeat(500)}`],
  ['Cookie', `language=${encodeURIComponent('../../en')}`],
  ['Cookie', 'language=%E0%A4%A'],
  ['Cookie', '=;;;=; a'],
  ['Cookie', `a=${'b'.repeat(4_000)}`],
  ['If-None-Match', '*'],
  ['If-None-Match', 'W/"1"'],
  ['If-Match', '*'],
  ['If-Match', '1'],
  ['If-Match', '"-1"'],
  ['If-Match', '"99999999999999999999"'],
  ['If-Match', '"1", "2"'],
  ['If-Modified-Since', 'yesterday'],
  ['Range', 'bytes=-1'],
  ['Range', 'bytes=0-0,5-1'],
  ['Expect', '100-continue'],
  ['Expect', '200-ok'],
  ['Upgrade', 'websocket'],
  ['Upgrade', 'h2c'],
  ['Connection', 'close'],
  ['Connection', 'Upgrade, keep-alive'],
  ['Connection', 'X-Request-Id'],
  ['TE', 'trailers'],
  ['Trailer', 'Cookie'],
  ['Content-Encoding', 'gzip'],
  ['Content-Type', 'application/json'],
  ['Stock-Base', ''],
  ['Stock-Base', '-1'],
  ['Stock-Base', '1e3'],
  ['Stock-Base', '01'],
  ['Stock-Base', '1000000001'],
  ['Stock-Base', '1, 2'],
  ['Last-Event-ID', '0-0'],
  ['Last-Event-ID', '999999999999999-999999999999999'],
  ['Last-Event-ID', '-1'],
  ['Last-Event-ID', 'é'],
  ['Authorization', 'Bearer'],
  ['Authorization', 'Basic YTpi'],
  ['Authorization', `Bearer ${'a.'.repeat(2_000)}`],
  ['X-Request-Id', '<script>'],
  ['X-Very-Long', 'x'.repeat(20_000)],
  ['X-Bytes', '\u0001'],
  ['X-Bytes', 'é漢🌸'],
  ['Bad Name', 'x'],
  ['', 'x'],
  ['Transfer-Encoding', 'gzip'],
  ['Transfer-Encoding', 'xchunked'],
  ['Content-Length', '0'],
  ['Content-Length', '-1'],
  ['Content-Length', '1e1'],
];

/** Writes a URL in an unusual or broken way. */
export function damageTarget(target: string, random: Random): string {
  const at = random.whole(1, target.length);
  const before = target.slice(0, at);
  const after = target.slice(at);
  switch (random.whole(0, 15)) {
    case 0:
      return `${before}${random.pick(['%', '%0', '%zz', '%00', '%ff', '%c0%af', '%ED%A0%80', '%2e%2e%2f', '%5c'])}${after}`;
    case 1:
      return `/${target}`;
    case 2:
      return target.replace(/(\?|$)/, '/$1');
    case 3:
      return target.replace('/', random.pick(['/./', '/../', '/%2e/', '/..;/', '\\', '/..%2f']));
    case 4:
      return target.toUpperCase();
    case 5:
      return target.replace(/(\?|$)/, random.pick([';x=1$1', '.json$1', '.css$1', '%20$1', '%0a$1', '~$1']));
    case 6:
      return target.replace(/[^/?]+(?=\?|$)/, () => escaped(random.pick(nastyTexts)));
    case 7:
      return `http://evil.example${target}`;
    case 8:
      return random.pick(['*', '', 'x', '?', '#', '/?', '//', '/%', 'evil.example:80', '/\u00e9', '/#']);
    case 9:
      return `${target}${target.includes('?') ? '&' : '?'}${'a=1&'.repeat(1_500)}`;
    case 10:
      return `${target}${target.includes('?') ? '&' : '?'}${random.pick(['%', '=', '&&&', '%00=%00', 'a%5B%5D=1', '__proto__=1', '__proto__[a]=1', 'a;b', 'a=b=c', '\u00e9=1', 'constructor=1'])}`;
    case 11:
      return `${before}${random.pick(['é', '漢', '<', '>', '"', '{', '|', '^', '`', '#'])}${after}`;
    case 12:
      return `${target.split('?', 1)[0]}/${'a'.repeat(random.pick([201, 2_000, 15_000]))}`;
    case 13:
      return [...target].map((c) => (/[a-z]/.test(c) && random.happens(0.2) ? percent(c) : c)).join('');
    default:
      return target.replace(/[^/?]+(?=\?|$)/, () => escaped(random.pick(nastyTexts).slice(0, 190)));
  }
}

function escaped(text: string): string {
  return text.isWellFormed() ? encodeURIComponent(text) : '%ED%A0%80';
}

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16)}`;
}
