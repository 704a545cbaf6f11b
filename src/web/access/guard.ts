import type { FastifyInstance, FastifyRequest } from 'fastify';
import { assets } from '../assets.ts';
import { openPaths } from '../monitoring/routes.ts';
import type { Access } from './access.ts';
import { createAttempts } from './attempts.ts';

/** Paths served without authentication; they contain no data. */
const open = new Set<string>([...openPaths, ...assets.map(({ path }) => path)]);

/** Requires the password (HTTP Basic), a user named by a proxy, or a bearer token. Does nothing if access is open. */
export function guard(server: FastifyInstance, access: Access): void {
  if (access.isOpen) return;
  const attempts = createAttempts();

  server.addHook('onRequest', async (request, reply) => {
    if (open.has(request.url.replace(/\?.*/s, '')) || isNamed(request, access)) return;
    if (access.hasToken(request.headers)) return;
    const given = passwordOf(request.headers);
    if (given !== null && access.hasPassword) {
      // The right password is refused, too: otherwise guessing could go on.
      if (attempts.areTooMany(request.ip))
        return reply.code(429).header('retry-after', '60').send({ error: 'too many wrong passwords; wait a minute' });
      if (access.isPassword(given)) return;
      attempts.add(request.ip);
    }
    const schemes = ['Bearer', ...(access.hasPassword ? ['Basic realm="Pricebook", charset="UTF-8"'] : [])];
    return reply
      .code(401)
      .header('www-authenticate', schemes)
      .send({ error: requiredBy(access) });
  });
}

const requiredBy = ({ hasPassword }: Access): string =>
  hasPassword
    ? 'send the password, or a token: Authorization: Bearer …'
    : 'the reverse proxy sent no user name, and there is no token: Authorization: Bearer …';

/** Password of HTTP Basic, for any user name; null: none was sent. */
function passwordOf({ authorization = '' }: FastifyRequest['headers']): string | null {
  const [, encoded] = /^Basic +([\w+/=-]+)$/i.exec(authorization) ?? [];
  return encoded === undefined
    ? null
    : Buffer.from(encoded, 'base64')
        .toString()
        .replace(/^[^:]*:/, '');
}

/** Whether a reverse proxy names the user. If proxies are configured, only they may. */
function isNamed({ headers, socket }: FastifyRequest, { userHeader, hasProxies, isProxy }: Access): boolean {
  if (userHeader === null || (hasProxies && !isProxy(socket.remoteAddress ?? ''))) return false;
  return String(headers[userHeader] ?? '').trim() !== '';
}
