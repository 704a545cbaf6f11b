import { lookup as resolveName } from 'node:dns';
import type { LookupFunction } from 'node:net';
// The whole library brings fetch, web sockets and more, which takes a fifth of the time to start a command.
import Pool from 'undici/lib/dispatcher/pool.js';
import { isPrivateAddress } from './private-address.ts';

/** Connection limits of the security checklist: connect 5 s, headers 35 s and 16 KB, 15 s without a byte. */
const connectLimitMs = 5_000;
const headersLimitMs = 35_000;
const idleBodyLimitMs = 15_000;
const headerLimitBytes = 16_384;

/**
 * Shorter than any server's limit: reusing a connection that the server is just closing failed for 8.7% of requests,
 * and for none of 300 with a shorter limit of our own. If a server states its limit, connections close a second
 * earlier. Longer than the slots of a request a second are apart.
 */
const keepAliveMs = 1_500;
const longestKeepAliveMs = 10_000;

/** Connections are renewed after this many requests, so that address changes are noticed. */
const requestsPerConnection = 1_000;

/**
 * Connections to one origin, for `dispatch`. Follows no redirects and ignores proxy variables. Unless `local`, connects
 * only to public addresses.
 */
export function connectTo(origin: string, options: { connections: number; local: boolean }): Pool {
  return new Pool(origin, {
    connections: options.connections,
    pipelining: 1,
    headersTimeout: headersLimitMs,
    bodyTimeout: idleBodyLimitMs,
    maxHeaderSize: headerLimitBytes,
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: longestKeepAliveMs,
    maxRequestsPerClient: requestsPerConnection,
    connect: {
      timeout: connectLimitMs,
      // Explicit, so that neither NODE_OPTIONS nor NODE_TLS_REJECT_UNAUTHORIZED can weaken them.
      ...({ minVersion: 'TLSv1.2', rejectUnauthorized: true } as const),
      ...(options.local ? {} : { lookup: publicOnly(resolveName as Resolve) }),
    },
  });
}

/** Signature of `dns.lookup` for all addresses. */
export type Resolve = (
  hostname: string,
  options: { all: true; family?: number | 'IPv4' | 'IPv6' },
  callback: (error: NodeJS.ErrnoException | null, addresses: { address: string; family: number }[]) => void,
) => void;

/**
 * Name look-up that returns only public addresses: a name that points to a private one gets no connection and no key.
 */
export function publicOnly(resolve: Resolve): LookupFunction {
  return (hostname, options, callback) => {
    const family = options.family === undefined ? {} : { family: options.family };
    resolve(hostname, { ...family, all: true }, (error, addresses) => {
      if (error) return callback(error, '', 0);
      const allowed = addresses.filter(({ address }) => !isPrivateAddress(address));
      const [first] = allowed;
      const refusal = Object.assign(new Error(`${hostname} resolves to no public address`), { code: 'EPRIVATE' });
      if (!first) callback(refusal, '', 0);
      else if (options.all) callback(null, allowed);
      else callback(null, first.address, first.family);
    });
  };
}
