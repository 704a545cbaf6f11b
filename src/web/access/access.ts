import { createHash, timingSafeEqual } from 'node:crypto';
import type { Secret } from '../../app/config/secret.ts';
import { createTrust } from '../../app/config/trusted-proxies.ts';
import { Refused } from '../../base/errors.ts';

/** Access rules of the explorer. Secrets are compared as hashes, so that comparing them takes constant time. */
export type Access = ReturnType<typeof createAccess>;

/** Secrets are read anew for each request, so that a revoked one ends at once. */
export interface AccessSettings {
  readonly host: string;
  readonly password: Secret | null;
  readonly userHeader: string | null;
  /** Addresses or CIDR ranges of trusted reverse proxies. */
  readonly trustedProxies?: readonly string[];
  /** Bearer tokens for programs, separated by spaces: `Authorization: Bearer <token>`. */
  readonly tokens: Secret | null;
}

/**
 * Throws `Refused` if the host is not loopback and no authentication is configured, or only a header that anybody who
 * reaches the host could send.
 */
export function createAccess(settings: AccessSettings) {
  const { host, password, userHeader, trustedProxies = [], tokens } = settings;
  const isOpen = password === null && userHeader === null;
  const hasProxies = trustedProxies.length > 0;
  if (isOpen && !isLoopback(host))
    throw new Refused(
      78,
      `The explorer would be open to everybody who can reach ${host}; nothing was started. ` +
        'Set DASHBOARD_PASSWORD, or DASHBOARD_USER_HEADER to the header in which your proxy names the user, ' +
        'or HOST to 127.0.0.1.',
    );
  if (userHeader !== null && !hasProxies && !isLoopback(host))
    throw new Refused(
      78,
      `Everybody who can reach ${host} could send the header ${userHeader} (DASHBOARD_USER_HEADER); nothing was ` +
        'started. Set DASHBOARD_TRUSTED_PROXIES to the address of your proxy, or HOST to 127.0.0.1.',
    );
  return {
    /** No authentication: the server listens on loopback only. */
    isOpen,
    hasPassword: password !== null,
    /** Header in which a reverse proxy names the user; null: no header is trusted. */
    userHeader: userHeader?.toLowerCase() ?? null,
    /** Trusted proxies are configured; the user header of any other sender is ignored. */
    hasProxies,
    isProxy: createTrust(trustedProxies),
    isPassword: (given: string) => password !== null && areEqual(password.reveal(), given),
    /** Whether a request has one of the bearer tokens. */
    hasToken({ authorization = '' }: { readonly authorization?: string | undefined }): boolean {
      const given = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
      return given !== undefined && tokensIn(tokens).filter((known) => areEqual(known, given)).length > 0;
    },
  };
}

const tokensIn = (tokens: Secret | null): readonly string[] => tokens?.reveal().trim().split(/\s+/) ?? [];

export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/.test(host);
}

function areEqual(known: string, given: string): boolean {
  return timingSafeEqual(hashOf(known), hashOf(given));
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
