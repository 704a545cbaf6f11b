import ipaddr from 'ipaddr.js';

/**
 * Whether an IP address is not public: loopback, private, link-local, carrier-grade NAT or reserved (IANA
 * special-purpose registries), or an IPv6 address that may lead to an IPv4 one.
 */
export function isPrivateAddress(address: string): boolean {
  // IPv4-compatible addresses (::7f00:1) are not told from public ones.
  return !ipaddr.isValid(address) || ipaddr.parse(address).range() !== 'unicast' || address.startsWith('::');
}

/**
 * Whether a host is this machine or in a private network. A name without a dot is a host in a container network, such
 * as `simulator`.
 */
export function isLocalName(hostname: string): boolean {
  if (ipaddr.isValid(hostname)) return isPrivateAddress(hostname);
  return !hostname.includes('.') || hostname.endsWith('.localhost');
}
