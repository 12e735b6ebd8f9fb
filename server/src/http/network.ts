import { isIPv6 } from 'node:net';

export function isLoopback(ip: string): boolean {
  return ip.startsWith('127.') || ip === '0:0:0:0/64';
}

/**
 * Returns the part of an IP address that is counted: for IPv6 the /64, because one household usually has a whole /64.
 */
export function networkOf(ip: string): string {
  const plain = ip.toLowerCase().split('%', 1)[0] ?? '';
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(plain)?.[1];
  if (mapped) return mapped;
  if (!isIPv6(plain)) return plain;
  const [head = '', tail] = plain.split('::');
  const front = head === '' ? [] : head.split(':');
  const back = tail === undefined || tail === '' ? [] : tail.split(':');
  const groups = [...front, ...Array(Math.max(0, 8 - front.length - back.length)).fill('0'), ...back];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}/64`;
}
