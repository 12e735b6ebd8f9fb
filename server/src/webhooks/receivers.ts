import { isIP, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Config } from '../config.ts';

export type Receivers = ReturnType<typeof receivers>;

/**
 * Where webhooks may lead: to addresses that anybody on the internet could send to, never into the network of the server,
 * except to hosts that the operator listed.
 */
export function receivers({ demo, webhookPrivateHosts }: Pick<Config, 'demo' | 'webhookPrivateHosts'>) {
  function isListed({ protocol, hostname, port }: URL): boolean {
    const withPort = `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
    return webhookPrivateHosts.some((host) => host === hostname || host === withPort);
  }

  /** Returns what is wrong with the address itself. A name is looked up only when something is sent to it. */
  function fault(url: URL): 'not_https' | 'private_address' | null {
    if (isListed(url)) return null;
    if (url.protocol !== 'https:' && !demo) return 'not_https';
    const host = hostOf(url);
    return isIP(host) !== 0 && !isPublic(host) ? 'private_address' : null;
  }

  return { isListed, fault };
}

/** The host without the brackets that an IPv6 address has in a URL. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

/** The addresses that are given to hosts on the internet. `unicast` in ipaddr.js also has those that nobody was given. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** Whether an IP address belongs to the internet: not to a private network, this machine, a translation, or nobody. */
export function isPublic(address: string): boolean {
  if (isIP(address) === 0) return false;
  // An IPv4 address may be written as IPv6.
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast') return false;
  return !isIPv6(parsed.toString()) || (parsed as ipaddr.IPv6).match(GLOBAL_IPV6);
}
