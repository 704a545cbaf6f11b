import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Returns a predicate for addresses of trusted proxies. `proxies`: addresses or CIDR ranges such as 10.0.0.0/8. */
export function createTrust(proxies: readonly string[]): (address: string) => boolean {
  const known = proxies.map((proxy) => rangeOf(proxy)!);
  return (address) =>
    isIP(address) !== 0 && ipaddr.subnetMatch(ipaddr.process(address), { known }, 'unknown') === 'known';
}

/** Parses an address or CIDR range; null if it is neither. */
export function rangeOf(text: string): ReturnType<typeof ipaddr.parseCIDR> | null {
  const range = text.includes('/') ? text : `${text}/${isIP(text) === 6 ? 128 : 32}`;
  // A range of all addresses would trust everybody.
  const isUsable = isIP(range.split('/')[0]!) !== 0 && ipaddr.isValidCIDR(range) && !range.endsWith('/0');
  return isUsable ? ipaddr.parseCIDR(range) : null;
}
