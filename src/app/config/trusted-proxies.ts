import { BlockList, isIP } from 'node:net';

/** Returns a predicate for addresses of trusted proxies. `proxies`: addresses or CIDR ranges such as 10.0.0.0/8. */
export function createTrust(proxies: readonly string[]): (address: string) => boolean {
  const known = new BlockList();
  for (const proxy of proxies) {
    const { address, bits, family } = rangeOf(proxy)!;
    known.addSubnet(address, bits, family);
  }
  return (address) => {
    const family = isIP(address);
    return family !== 0 && known.check(address, family === 6 ? 'ipv6' : 'ipv4');
  };
}

/** Parses an address or CIDR range; null if it is neither. */
export function rangeOf(text: string): { address: string; bits: number; family: 'ipv4' | 'ipv6' } | null {
  const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const family = isIP(address);
  if (family === 0) return null;
  const most = family === 6 ? 128 : 32;
  const given = bits === undefined ? most : Number(bits);
  // A range of all addresses would trust everybody.
  return given < 1 || given > most ? null : { address, bits: given, family: family === 6 ? 'ipv6' : 'ipv4' };
}
