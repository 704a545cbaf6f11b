import compress from '@fastify/compress';
import cors from '@fastify/cors';
import fastify, { type FastifyError, type FastifyReply, type FastifyRequest, type FastifyServerOptions } from 'fastify';
import type { Clock } from '../base/clock.ts';
import type { RegionCode } from '../base/model/index.ts';
import type { Run } from '../crawl/ledger/runs.ts';
import type { WatchLists } from '../followers/watches/watch-lists.ts';
import { openReader } from '../questions/reader.ts';
import type { Status } from '../questions/status.ts';
import { type AccessSettings, createAccess, isLoopback } from './access/access.ts';
import { isOfApi, malformedApiAddress, serveApi } from './api.ts';
import { limitCrowd } from './crowd.ts';
import { malformedAddress } from './error-views.tsx';
import { failureOf } from './failure.ts';
import { renderPage } from './layout.tsx';
import { guard, userOf } from './log-in.tsx';
import { serveMcp } from './mcp.ts';
import type { Monitoring } from './monitoring/monitoring.ts';
import { serveMonitoring } from './monitoring/routes.ts';
import type { NightTime } from './next-night.ts';
import { servePages } from './page-routes.ts';
import { pages } from './pages/index.ts';
import { readDepths, type ShownQueue, serveQueueBoard } from './queue-board.ts';
import { runJson, statusJson } from './status-json.ts';
import { serveWatches } from './watch-routes.tsx';

export interface ExplorerNeeds {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly access: Omit<AccessSettings, 'host'>;
  /** Websites whose scripts may read the API. */
  readonly origins?: readonly string[];
  /** Command that starts the program in this installation, shown on pages. */
  readonly ownCommand: string;
  /** Local time at which nights start. */
  readonly nightBeginsAt: NightTime;
  /** The explorer reads it as `bi_reader`. */
  readonly databaseUrl: string;
  readonly clock: Clock;
  readonly monitoring: Monitoring;
  /** Null: the connections are not open yet. */
  queues(): readonly ShownQueue[] | null;
  readStatus(): Promise<Status>;
  /** Number of certified nights of a region that are still to be derived. */
  countNightsOwed(region: RegionCode): Promise<number>;
  readonly watchLists: WatchLists;
  /** Recent runs, newest first. */
  readRuns(): Promise<readonly Run[]>;
  /** Called for each failed request: the database is not reachable, or the program has a bug. */
  onTrouble(error: unknown): void;
  /** Called if the role `bi_reader` cannot be used; see `Reader`. */
  onOwnRights(reason: string): void;
}

export interface Explorer {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves pages, API, `/healthz`, `/readyz` and `/metrics`, read-only except for the lists of `/watch`. Rejects with
 * EADDRINUSE if the port is taken, and with `Refused` if the host is not loopback and no authentication is
 * configured.
 */
export async function openExplorer(needs: ExplorerNeeds): Promise<Explorer> {
  const { host, port, databaseUrl, clock, readStatus, readRuns, onTrouble, onOwnRights } = needs;
  const access = createAccess({ host, ...needs.access });
  // Forwarded protocol and client address are accepted from configured proxies only.
  const server = fastify({
    // Texts of the longest addresses allowed, with each byte as %00.
    http: { maxHeaderSize: 65_536 },
    forceCloseConnections: true,
    trustProxy: access.hasProxies && access.isProxy,
    frameworkErrors: refuseAddress as FastifyServerOptions['frameworkErrors'] & object,
  });
  // A reverse proxy on this machine forwards the original host name.
  const answersToOwnName = isLoopback(host) && (access.isOpen || !access.hasProxies);
  const reader = await openReader({ databaseUrl, onOwnRights });

  limitCrowd(server);
  server.addHook('onRequest', async (request, reply) => {
    // DNS rebinding: a foreign page whose name resolves to this machine sends its own host name.
    if (answersToOwnName && !isLoopback(nameIn(request.headers.host)))
      return reply.code(421).send({ error: 'wrong host name' });
  });
  server.addHook('onSend', async (_request, reply) => {
    for (const [name, value] of Object.entries(headers)) if (!reply.hasHeader(name)) reply.header(name, value);
  });
  server.setErrorHandler((error: FastifyError, _request, reply) => {
    const { statusCode = 500 } = error;
    if (statusCode >= 400 && statusCode < 500)
      return reply.code(statusCode).send({ error: `invalid request: ${error.message}` });
    onTrouble(error);
    const { status, line } = failureOf(error);
    return reply.code(status).send({ error: line });
  });
  // Before the guard: a browser asks without a token whether it may send one. Cookies of a user are never accepted.
  await server.register(cors, {
    delegator: ({ url }, done) => done(null, { origin: isOfApi(url) ? [...(needs.origins ?? [])] : false }),
  });
  await guard(server, access);
  server.addHook('onRequest', async ({ is404, method }, reply) => {
    // Only programs use other methods than GET.
    if (is404 && method !== 'GET' && method !== 'HEAD')
      return reply.code(405).header('allow', 'GET, HEAD').send({ error: 'only GET' });
  });
  // Registered before compression, because its `onSend` hook modifies the HTML.
  const board = { queues: needs.queues, look: needs.monitoring.look, onTrouble };
  await serveQueueBoard(server, board);
  // Pages contain no secrets, so compression leaks none through the response length.
  await server.register(compress, { encodings: ['br', 'gzip', 'identity'] });

  server.get('/api/status', async () => ({
    ...statusJson(await readStatus()),
    runs: (await readRuns()).map(runJson),
  }));
  serveMonitoring(server, needs.monitoring);
  await serveApi(server, { reader, pages, onTrouble });
  await serveMcp(server, { reader, onTrouble });
  const { nightBeginsAt, ownCommand, countNightsOwed, watchLists } = needs;
  const { showRefused } = servePages(server, {
    readJobs: () => readDepths(board),
    ...{ reader, clock, readStatus, countNightsOwed, onTrouble, pages, nightBeginsAt, ownCommand, watchLists },
  });
  serveWatches(server, { reader, watchLists, showRefused, userOf: (request) => userOf(request, access) });

  const close = async () => {
    await server.close();
    await reader.close();
  };
  const url = await server.listen({ host, port }).catch(async (error) => {
    await close();
    throw error;
  });
  return { url, close };
}

/**
 * Responds to a malformed URL. Fastify runs no hooks for such requests, so the headers are set here and no data is
 * shown.
 */
function refuseAddress({ statusCode = 400 }: FastifyError, { url }: FastifyRequest, reply: FastifyReply): void {
  reply.code(statusCode).headers(headers);
  if (isOfApi(url)) reply.send(malformedApiAddress);
  else
    reply
      .type('text/html; charset=utf-8')
      .send(renderPage({ ...malformedAddress(), path: '', nav: [], freshness: [] }));
}

/** The host of the original header; forwarded host names are not trusted here. */
function nameIn(host = ''): string {
  return host.replace(/:\d+$/, '');
}

/** Only resources of this server; no inline styles or scripts. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "connect-src 'self'",
  "font-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

const headers = {
  'content-security-policy': contentSecurityPolicy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};
