import type { FastifyRequest } from 'fastify';

/**
 * Whether a page of another website makes a request for itself; a link there may be followed. Browsers send
 * `Sec-Fetch-Site`, and `Origin` where a script reads the response or a form is sent.
 */
export function isForeign({ headers, hostname }: FastifyRequest): boolean {
  const { origin, 'sec-fetch-site': site, 'sec-fetch-mode': mode, 'sec-fetch-dest': dest } = headers;
  if (site === 'cross-site' && (mode !== 'navigate' || dest !== 'document')) return true;
  return origin !== undefined && (!URL.canParse(origin) || new URL(origin).hostname !== hostname);
}
