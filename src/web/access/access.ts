import { createHash, timingSafeEqual } from 'node:crypto';
import { createTrust } from '../../app/config/trusted-proxies.ts';
import { Refused } from '../../base/errors.ts';

/** Access rules of the explorer. Secrets are stored as hashes, so that comparing them takes constant time. */
export interface Access {
  /** No authentication: the server listens on loopback only. */
  readonly isOpen: boolean;
  readonly hasPassword: boolean;
  /** Header in which a reverse proxy names the user; null: no header is trusted. */
  readonly userHeader: string | null;
  /** Trusted proxies are configured; the user header of any other sender is ignored. */
  readonly hasProxies: boolean;
  isProxy(address: string): boolean;
  isPassword(given: string): boolean;
  isToken(given: string): boolean;
}

export interface AccessSettings {
  readonly host: string;
  readonly password: string | null;
  readonly userHeader: string | null;
  /** Addresses or CIDR ranges of trusted reverse proxies. */
  readonly trustedProxies?: readonly string[];
  /** Bearer tokens for programs: `Authorization: Bearer <token>`. */
  readonly tokens: readonly string[];
}

/** Throws `Refused` if the host is not loopback and no authentication is configured. */
export function createAccess({ host, password, userHeader, trustedProxies = [], tokens }: AccessSettings): Access {
  const isOpen = password === null && userHeader === null;
  if (isOpen && !isLoopback(host))
    throw new Refused(
      78,
      `The explorer would be open to everybody who can reach ${host}; nothing was started. ` +
        'Set DASHBOARD_PASSWORD, or DASHBOARD_USER_HEADER to the header in which your proxy names the user, ' +
        'or HOST to 127.0.0.1.',
    );
  const passwordHash = password === null ? null : hashOf(password);
  const tokenHashes = tokens.map(hashOf);
  return {
    isOpen,
    hasPassword: password !== null,
    userHeader: userHeader?.toLowerCase() ?? null,
    hasProxies: trustedProxies.length > 0,
    isProxy: createTrust(trustedProxies),
    isPassword: (given) => passwordHash !== null && timingSafeEqual(passwordHash, hashOf(given)),
    isToken(given) {
      const hash = hashOf(given);
      return tokenHashes.map((known) => timingSafeEqual(known, hash)).includes(true);
    },
  };
}

/** Bearer token of a request; undefined if there is none. */
export function tokenOf({ authorization = '' }: { readonly authorization?: string | undefined }): string | undefined {
  return /^Bearer +(\S+)$/i.exec(authorization)?.[1];
}

/** Whether a host name or address is loopback. */
export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/.test(host);
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
