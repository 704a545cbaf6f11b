import { createHash, timingSafeEqual } from 'node:crypto';
import { createTrust } from '../../app/config/trusted-proxies.ts';
import { ExplorerUnguarded } from '../../base/errors.ts';

/** Who may look. Values are held by their hashes, so that comparing them takes the same time whatever is sent. */
export interface Access {
  /** Nothing is asked: only this machine can reach it. */
  readonly isOpen: boolean;
  readonly hasPassword: boolean;
  /** Header in which a proxy names the user; null: none is believed. */
  readonly userHeader: string | null;
  /** Proxies are named: theirs is what they say of a visitor, and nobody else's. */
  readonly hasProxies: boolean;
  isProxy(address: string): boolean;
  isPassword(given: string): boolean;
  isToken(given: string): boolean;
}

export interface AccessSettings {
  readonly host: string;
  readonly password: string | null;
  readonly userHeader: string | null;
  /** Addresses or ranges of the proxies in front. */
  readonly trustedProxies?: readonly string[];
  /** For programs: `Authorization: Bearer <token>`. */
  readonly tokens: readonly string[];
}

/** Throws `ExplorerUnguarded` where others could reach it and nothing would be asked. */
export function createAccess({ host, password, userHeader, trustedProxies = [], tokens }: AccessSettings): Access {
  const isOpen = password === null && userHeader === null;
  if (isOpen && !isLoopback(host)) throw new ExplorerUnguarded(host);
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

/** The token that a program sent; undefined: none. */
export function tokenOf({ authorization = '' }: { readonly authorization?: string | undefined }): string | undefined {
  return /^Bearer +(\S+)$/i.exec(authorization)?.[1];
}

/** Whether only this machine can reach an address. */
export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/.test(host);
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
