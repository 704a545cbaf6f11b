import { isIP } from 'node:net';
import { isLocalName } from '../../gateway/private-address.ts';

/** Whether the text can be a host: an address, or labels separated by dots. */
export function isHost(text: string): boolean {
  if (isIP(text) !== 0) return true;
  const labels = text.replace(/\.$/, '').split('.');
  return (
    URL.canParse(`https://${text}`) && labels.every((label) => /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/i.test(label))
  );
}

/** Throws an Error unless the text is a URL with a protocol. */
export function refuseIncomplete(text: string): void {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) throw new Error('must begin with https://, such as https://host.example');
  if (!URL.canParse(text) || /[\s<>"…]/.test(text)) throw new Error('is not a URL');
}

/** Parses a base URL. Throws an Error whose message completes "the variable …". */
export function parseBaseUrl(text: string) {
  refuseIncomplete(text);
  const url = new URL(text);
  const hostname = url.hostname.replace(/^\[|\]$/g, '');
  const local = isLocalName(hostname);
  if (!isHost(hostname) || url.port === '0') throw new Error('is not a URL: no server can have its host or port');
  if (/^\/\/[^/]/.test(url.pathname)) throw new Error('is not a URL: it has // twice');
  if (url.username !== '' || url.password !== '') throw new Error('must not contain a user name or password');
  if (url.search !== '' || url.hash !== '') throw new Error('must not have a query or a fragment');
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new Error('must begin with https://');
  if (url.protocol === 'http:' && !local) {
    throw new Error(
      'must begin with https://, because http would expose the key (http is for this machine and private networks)',
    );
  }
  return {
    /** Without a trailing slash. */
    url: `${url.origin}${url.pathname.replace(/\/+$/, '')}`,
    hostname,
    /** Whether the host is this machine or in a private network. http and private addresses are allowed only then. */
    local,
  };
}
