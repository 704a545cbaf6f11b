import { randomBytes } from 'node:crypto';
import cookie from '@fastify/cookie';
import csrf from '@fastify/csrf-protection';
import formbody from '@fastify/formbody';
import rateLimit from '@fastify/rate-limit';
import session from '@fastify/session';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Access, tokenOf } from './access/access.ts';
import { assets } from './assets.ts';
import { renderPage } from './layout.tsx';
import { openPaths } from './monitoring/routes.ts';

declare module 'fastify' {
  interface Session {
    isLoggedIn?: boolean;
  }
}

const sessionHours = 12;
/** Maximum size of a submitted form. */
export const mostFormBytes = 4_096;
/** Password attempts per minute and address. */
const triesPerMinute = 5;
/** Wrong ones from all addresses together. */
const wrongPerMinute = 100;
const minuteMs = 60_000;

/** Link to log out, for sessions that are logged in. */
export function logOutLinks({ session }: { readonly session?: { readonly isLoggedIn?: boolean } }) {
  return session?.isLoggedIn === true ? [{ path: '/login', name: 'Log out' }] : [];
}

/** Paths served without authentication; they contain no data. */
const open = new Set<string>([...openPaths, '/login', ...assets.map(({ path }) => path)]);

/** Requires a session, a user named by a proxy, or a bearer token. Does nothing if access is open. */
export async function guard(server: FastifyInstance, access: Access): Promise<void> {
  await acceptForms(server, access);
  if (access.isOpen) return;
  if (access.hasPassword) await serveLogIn(server, access);

  server.addHook('onRequest', async (request, reply) => {
    const path = request.url.replace(/\?.*/s, '');
    if (open.has(path) || mayLook(request, access)) return;
    const refuse = (error: string) => reply.code(401).header('www-authenticate', 'Bearer').send({ error });
    if (isOfProgram(request, path)) return refuse('log in, or send a token: Authorization: Bearer …');
    if (!access.hasPassword) return refuse('the reverse proxy sent no user name');
    return reply.redirect(`/login?to=${encodeURIComponent(request.url)}`, 303);
  });
}

/**
 * Whether a program sent the request. A program gets 401, because it would follow a redirect and parse the log-in page.
 */
function isOfProgram({ method, headers }: FastifyRequest, path: string): boolean {
  return (
    method !== 'GET' ||
    /^\/(jobs\/board\/)?api\//.test(path) ||
    path === '/metrics' ||
    path.endsWith('.atom') ||
    tokenOf(headers) !== undefined ||
    (path.endsWith('.csv') && !String(headers.accept).includes('text/html'))
  );
}

function mayLook(request: FastifyRequest, access: Access): boolean {
  if (access.hasPassword && request.session.isLoggedIn === true) return true;
  if (userOf(request, access) !== null) return true;
  const token = tokenOf(request.headers);
  return token !== undefined && access.isToken(token);
}

/** User named by a reverse proxy; null: none. If proxies are configured, only they may name a user. */
export function userOf(request: FastifyRequest, { userHeader, hasProxies, isProxy }: Access): string | null {
  if (userHeader === null || (hasProxies && !isProxy(request.socket.remoteAddress ?? ''))) return null;
  return String(request.headers[userHeader] ?? '').trim() || null;
}

/** Forms with a token in a cookie of their own, which a page of another site cannot send. */
async function acceptForms(server: FastifyInstance, access: Access): Promise<void> {
  await server.register(cookie, { secret: randomBytes(32).toString('hex') });
  if (access.hasPassword) {
    // Sessions and secrets live in memory: a restart logs everybody out.
    await server.register(session, {
      secret: randomBytes(32).toString('hex'),
      cookieName: 'pricebook',
      saveUninitialized: false,
      // A session expires at a fixed time, even if it is in use.
      rolling: false,
      cookie: { httpOnly: true, sameSite: 'lax', secure: 'auto', path: '/', maxAge: sessionHours * 3_600_000 },
    });
  }
  await server.register(csrf, {
    sessionPlugin: '@fastify/cookie',
    cookieOpts: { signed: true, httpOnly: true, sameSite: 'strict', secure: 'auto', path: '/' },
  });
  // A shared cache would send a stored cookie to other users.
  server.addHook('onSend', async (_request, reply) => {
    if (/\bpublic\b/.test(String(reply.getHeader('cache-control')))) reply.removeHeader('set-cookie');
  });
  await server.register(formbody, { bodyLimit: mostFormBytes });
}

async function serveLogIn(server: FastifyInstance, access: Access): Promise<void> {
  await server.register(rateLimit, { global: false });

  const wrong = createWrongTries();
  server.get('/login', async (request, reply) => {
    return show(reply, {
      to: destinationOf((request.query as { to?: unknown }).to),
      isLoggedIn: request.session.isLoggedIn,
    });
  });

  const limited = {
    bodyLimit: mostFormBytes,
    config: { rateLimit: { max: triesPerMinute, timeWindow: '1 minute' } },
    errorHandler: (error: Error & { statusCode?: number }, _request: FastifyRequest, reply: FastifyReply) => {
      if (error.statusCode === 429) return show(reply.code(429), { said: tooMany });
      if (error.statusCode === 403) return show(reply.code(403), { said: 'This form has expired. Try again.' });
      throw error;
    },
  };
  server.route({
    method: 'POST',
    url: '/login',
    ...limited,
    preHandler: server.csrfProtection,
    handler: async (request, reply) => {
      const { password, to } = (request.body ?? {}) as { password?: unknown; to?: unknown };
      if (wrong.areTooMany()) return show(reply.code(429), { said: tooMany, to: destinationOf(to) });
      if (typeof password !== 'string' || !access.isPassword(password)) {
        wrong.add();
        return show(reply.code(401), { said: 'Wrong password.', to: destinationOf(to) });
      }
      // A new session id prevents session fixation.
      await request.session.regenerate();
      request.session.isLoggedIn = true;
      return reply.redirect(destinationOf(to), 303);
    },
  });
  server.route({
    method: 'POST',
    url: '/logout',
    ...limited,
    preHandler: server.csrfProtection,
    handler: async (request, reply) => {
      await request.session.destroy();
      return reply.redirect('/login', 303);
    },
  });
}

const tooMany = 'Too many attempts. Wait a minute, then try again.';

/** Counts wrong passwords of all clients, minute by minute. */
function createWrongTries() {
  let count = 0;
  let endsAtMs = 0;
  return {
    areTooMany: () => count >= wrongPerMinute && performance.now() < endsAtMs,
    add(): void {
      const nowMs = performance.now();
      if (nowMs >= endsAtMs) {
        count = 0;
        endsAtMs = nowMs + minuteMs;
      }
      count += 1;
    },
  };
}

interface LogIn {
  readonly said?: string;
  readonly to?: string;
  readonly isLoggedIn?: boolean | undefined;
}

function show(reply: FastifyReply, { said, to = '/', isLoggedIn = false }: LogIn): FastifyReply {
  const token = reply.generateCsrf();
  const children = isLoggedIn ? (
    <form class="filters" method="post" action="/logout">
      <input type="hidden" name="_csrf" value={token} />
      <button type="submit">Log out</button>
    </form>
  ) : (
    <>
      {said !== undefined && (
        <p class="error" role="alert">
          {said}
        </p>
      )}
      <form class="filters" method="post" action="/login">
        <input type="hidden" name="_csrf" value={token} />
        <input type="hidden" name="to" value={to} />
        <label>
          Password
          <input name="password" type="password" autocomplete="current-password" required />
        </label>
        <button type="submit">Log in</button>
      </form>
    </>
  );
  const html = renderPage({
    title: isLoggedIn ? 'You are logged in' : 'Log in',
    path: '/login',
    nav: [],
    freshness: [],
    children,
  });
  return reply.type('text/html; charset=utf-8').send(html);
}

/** Redirect target after log-in. Only paths of this server are allowed, which prevents open redirects. */
function destinationOf(to: unknown): string {
  if (typeof to !== 'string' || !isPathHere(to)) return '/';
  // Encoded: a header takes no other letters.
  const { pathname, search } = new URL(to, 'http://here.invalid');
  const path = `${pathname}${search}`;
  return isPathHere(path) && !path.startsWith('/login') ? path : '/';
}

const isPathHere = (path: string): boolean => /^\/(?![/\\])[^\s\\]*$/.test(path);
