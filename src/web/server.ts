import { constants } from 'node:zlib';
import compress from '@fastify/compress';
import fastify, { type FastifyError, type FastifyReply, type FastifyRequest, type FastifyServerOptions } from 'fastify';
import type { Clock } from '../base/clock.ts';
import type { RegionCode } from '../base/model/index.ts';
import type { Run } from '../crawl/run/runs.ts';
import type { Status } from '../questions/status.ts';
import { type AccessSettings, createAccess, isLoopback } from './access/access.ts';
import { isForeign } from './access/foreign.ts';
import { guard } from './access/guard.ts';
import { isOfApi, malformedApiAddress, serveApi } from './api/api.ts';
import { failureOf } from './api/failure.ts';
import { serveMcp } from './api/mcp.ts';
import { version } from './api/open-api.ts';
import { contentSecurityPolicy } from './assets.ts';
import { unknownAddress } from './kernel/error-views.tsx';
import { renderPage } from './kernel/layout.tsx';
import type { RequestState } from './kernel/page.ts';
import { servePages } from './kernel/serve.tsx';
import type { Monitoring } from './monitoring/monitoring.ts';
import { serveMonitoring } from './monitoring/routes.ts';
import { pages } from './pages/index.ts';
import { readDepths, type ShownQueue, serveQueueBoard } from './queue-board.ts';
import { openReader } from './reader.ts';
import { runJson, snakeCased, statusJson } from './status-json.ts';

export interface ExplorerNeeds {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly access: Omit<AccessSettings, 'host'>;
  /** Command that starts the program in this installation, shown on pages. */
  readonly ownCommand: string;
  /** Local time at which nights start. */
  readonly nightBeginsAt: RequestState['nightBeginsAt'];
  /** The explorer reads it as `bi_reader`. */
  readonly databaseUrl: string;
  readonly clock: Clock;
  readonly monitoring: Monitoring;
  /** Null: the connections are not open yet. */
  queues(): readonly ShownQueue[] | null;
  readStatus(): Promise<Status>;
  /** Number of certified nights of a region that are still to be derived. */
  countNightsOwed(region: RegionCode): Promise<number>;
  /** Milliseconds after which a whole table ends whose reader takes nothing; 30 s. */
  readonly stalledAfterMs?: number;
  /** Recent runs, newest first. */
  readRuns(): Promise<readonly Run[]>;
  /** Called for each failed request: the database is not reachable, or the program has a bug. */
  onTrouble(error: unknown): void;
  /** Called if the role `bi_reader` cannot be used; see `Reader`. */
  onOwnRights(reason: string): void;
}

export type Explorer = Awaited<ReturnType<typeof openExplorer>>;

/**
 * Serves pages, API, `/healthz`, `/readyz` and `/metrics`, read-only. Rejects with EADDRINUSE if the port is taken, and
 * with `Refused` if the host is not loopback and no authentication is configured.
 */
export async function openExplorer(needs: ExplorerNeeds) {
  const { host, port, databaseUrl, readStatus, readRuns, onTrouble, onOwnRights } = needs;
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

  server.addHook('onRequest', async (request, reply) => {
    // DNS rebinding: a foreign page whose name resolves to this machine sends its own host name. Forwarded host names
    // are not trusted here.
    const name = (request.headers.host ?? '').replace(/:\d+$/, '');
    if (answersToOwnName && !isLoopback(name)) return reply.code(421).send({ error: 'wrong host name' });
    if (isForeign(request)) return reply.code(403).send({ error: 'a page of another website may only link here' });
  });
  server.addHook('onSend', async (_request, reply) => {
    for (const [name, value] of Object.entries(headers)) if (!reply.hasHeader(name)) reply.header(name, value);
  });
  server.setErrorHandler((error: FastifyError, { url }, reply) => {
    const { statusCode = 500 } = error;
    if (statusCode >= 400 && statusCode < 500)
      return reply.code(statusCode).send({ error: `invalid request: ${error.message}` });
    const { status, line } = failureOf(error);
    if (status >= 500) onTrouble(error);
    return reply.code(status).send(isOfApi(url) ? { version, error: line } : { error: line });
  });
  guard(server, access);
  server.addHook('onRequest', async ({ is404, method }, reply) => {
    // Only programs use other methods than GET.
    if (is404 && method !== 'GET' && method !== 'HEAD')
      return reply.code(405).header('allow', 'GET, HEAD').send({ error: 'only GET' });
  });
  const board = { queues: needs.queues, look: needs.monitoring.look, onTrouble };
  await serveQueueBoard(server, board);
  // Pages contain no secrets, so compression leaks none through the response length.
  const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } };
  await server.register(compress, { encodings: ['br', 'gzip', 'identity'], brotliOptions });

  server.get('/api/status', async () =>
    snakeCased({ ...statusJson(await readStatus()), runs: (await readRuns()).map(runJson) }),
  );
  serveMonitoring(server, needs.monitoring);
  serveApi(server, reader, needs.stalledAfterMs);
  serveMcp(server, { reader, onTrouble });
  servePages(server, { ...needs, reader, pages, readJobs: () => readDepths(board) });

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
      .send(renderPage({ ...unknownAddress(url), path: '', nav: [], freshness: [] }));
}

const headers = {
  'content-security-policy': contentSecurityPolicy(),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};
