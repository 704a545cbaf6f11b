import { isIP } from 'node:net';
import { isPrivateAddress } from '../../gateway/private-address.ts';

export interface BaseUrl {
  /** Without a slash at the end. */
  readonly url: string;
  readonly hostname: string;
  /** On this machine or a private network, by its very name: http is allowed there, and so are private addresses. */
  readonly local: boolean;
}

/** Reads a listing's base URL. Throws an Error that says in words what is wrong with it. */
export function parseBaseUrl(text: string): BaseUrl {
  if (!URL.canParse(text)) throw new Error('is not a URL');
  const url = new URL(text);
  const hostname = url.hostname.replace(/^\[|\]$/g, '');
  const local = isLocalName(hostname);
  if (url.username !== '' || url.password !== '') throw new Error('must not hold a user name or password');
  if (url.search !== '' || url.hash !== '') throw new Error('must not have a query or a fragment');
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new Error('must begin with https://');
  if (url.protocol === 'http:' && !local) {
    throw new Error(
      'must begin with https://, or the key would travel readable for all (http is for this machine and private networks)',
    );
  }
  return { url: `${url.origin}${url.pathname.replace(/\/+$/, '')}`, hostname, local };
}

/** A name without a dot is a neighbour in a container network, such as `simulator`. */
function isLocalName(hostname: string): boolean {
  if (isIP(hostname) !== 0) return isPrivateAddress(hostname);
  return !hostname.includes('.') || hostname.endsWith('.localhost');
}
