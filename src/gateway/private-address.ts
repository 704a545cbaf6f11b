import { BlockList, isIP } from 'node:net';

/**
 * Whether an IP address is not public: loopback, private, link-local, carrier-grade NAT or reserved (IANA
 * special-purpose registries).
 */
export function isPrivateAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 0) return true;
  return family === 6 ? notPublic6.check(address, 'ipv6') : notPublic4.check(address, 'ipv4');
}

/**
 * Whether a host is this machine or in a private network. A name without a dot is a host in a container network, such
 * as `simulator`.
 */
export function isLocalName(hostname: string): boolean {
  if (isIP(hostname) !== 0) return isPrivateAddress(hostname);
  return !hostname.includes('.') || hostname.endsWith('.localhost');
}

// Separate lists: in a shared one, the IPv4-mapped network would cover every IPv4 address.
const notPublic4 = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const) {
  notPublic4.addSubnet(network, prefix, 'ipv4');
}

const notPublic6 = new BlockList();
for (const [network, prefix] of [
  ['::', 96], // unspecified, loopback, IPv4-compatible
  ['::ffff:0:0', 96], // IPv4-mapped: no legitimate name server returns it
  ['64:ff9b::', 96], // NAT64 reaches any IPv4 address, including private ones
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16], // 6to4 embeds an IPv4 address
  ['fc00::', 7],
  ['fe80::', 9],
  ['ff00::', 8],
] as const) {
  notPublic6.addSubnet(network, prefix, 'ipv6');
}
