import compress from '@fastify/compress';
import fastify, { type FastifyError, type FastifyReply, type FastifyRequest, type FastifyServerOptions } from 'fastify';
import type { Clock } from '../base/clock.ts';
import type { RegionCode } from '../base/model/index.ts';
import type { Run } from '../crawl/ledger/runs.ts';
import type { Status } from '../questions/status.ts';
import { type AccessSettings, createAccess, isLoopback } from './access/access.ts';
import { isOfApi, malformedApiAddress, serveApi } from './api.ts';
import { malformedAddress } from './error-views.tsx';
import { failureOf } from './failure.ts';
import { renderPage } from './layout.tsx';
import { serveLive } from './live.ts';
import { guard } from './log-in.tsx';
import type { Monitoring } from './monitoring/monitoring.ts';
import { serveMonitoring } from './monitoring/routes.ts';
import type { NightTime } from './next-night.ts';
import { servePages } from './page-routes.ts';
import { pages } from './pages/index.ts';
import { type ShownQueue, serveQueueBoard } from './queue-board.ts';
import { openReader } from './reader.ts';
import { runJson, statusJson } from './status-json.ts';

export interface ExplorerNeeds {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  readonly access: Omit<AccessSettings, 'host'>;
  /** How a command is given where it runs, as pages that name one say it. */
  readonly ownCommand: string;
  /** When the nights begin. */
  readonly nightBeginsAt: NightTime;
  /** Of the book; it is read as `bi_reader`. */
  readonly databaseUrl: string;
  readonly clock: Clock;
  readonly monitoring: Monitoring;
  /** Null: they are not open yet. */
  queues(): readonly ShownQueue[] | null;
  readStatus(): Promise<Status>;
  /** How many certified nights of a region are not derived yet. */
  countNightsOwed(region: RegionCode): Promise<number>;
  /** The last runs, newest first. */
  readRuns(): Promise<readonly Run[]>;
  /** A question that was not answered: the database is away, or the program has a fault. */
  onTrouble(error: unknown): void;
  /** The role `bi_reader` cannot be taken on; see `Reader`. */
  onOwnRights(reason: string): void;
}

export interface Explorer {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves the pages, the API, `/healthz`, `/readyz` and `/metrics`, all of them read-only. Rejects with EADDRINUSE when
 * the port is taken, and with `ExplorerUnguarded` where others could reach it and nobody would be asked who they are.
 */
export async function openExplorer(needs: ExplorerNeeds): Promise<Explorer> {
  const { host, port, databaseUrl, clock, readStatus, readRuns, onTrouble, onOwnRights } = needs;
  const access = createAccess({ host, ...needs.access });
  // What a proxy says of a visitor: whether he came by https, and from where. Nobody else is believed.
  const server = fastify({
    forceCloseConnections: true,
    trustProxy: access.hasProxies && access.isProxy,
    frameworkErrors: refuseAddress as FastifyServerOptions['frameworkErrors'] & object,
  });
  // A proxy in front hands on the name that the visitor asked for.
  const answersToOwnName = isLoopback(host) && (access.isOpen || !access.hasProxies);
  const reader = await openReader({ databaseUrl, onOwnRights });

  server.addHook('onRequest', async (request, reply) => {
    // A page of somebody else whose name was pointed at this machine (DNS rebinding) sends its own name.
    if (answersToOwnName && !isLoopback(nameIn(request.headers.host)))
      return reply.code(421).send('not the host you think\n');
  });
  server.addHook('onSend', async (_request, reply) => {
    for (const [name, value] of Object.entries(headers)) if (!reply.hasHeader(name)) reply.header(name, value);
  });
  server.setErrorHandler((error: FastifyError, _request, reply) => {
    const { statusCode = 500 } = error;
    if (statusCode >= 400 && statusCode < 500)
      return reply.code(statusCode).send({ error: `the request cannot be used: ${error.message}` });
    onTrouble(error);
    const { status, line } = failureOf(error);
    return reply.code(status).send({ error: line });
  });
  await guard(server, access);
  // Before packing: what is sent here is looked through once more.
  await serveQueueBoard(server, { queues: needs.queues, look: needs.monitoring.look, onTrouble });
  // Pages hold no secret that a length could give away.
  await server.register(compress, { encodings: ['gzip', 'identity'] });

  server.get('/api/status', async () => ({
    ...statusJson(await readStatus()),
    runs: (await readRuns()).map(runJson),
  }));
  serveMonitoring(server, needs.monitoring);
  serveLive(server, readStatus);
  await serveApi(server, { reader, pages, onTrouble });
  const { nightBeginsAt, ownCommand, countNightsOwed } = needs;
  servePages(server, { reader, clock, readStatus, countNightsOwed, onTrouble, pages, nightBeginsAt, ownCommand });

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
 * Of an address that is none. No hook hears of such a request: nobody has been asked who they are, and no heading is
 * set.
 */
function refuseAddress({ statusCode = 400 }: FastifyError, { url }: FastifyRequest, reply: FastifyReply): void {
  reply.code(statusCode).headers(headers);
  if (isOfApi(url)) reply.send(malformedApiAddress);
  else
    reply
      .type('text/html; charset=utf-8')
      .send(renderPage({ ...malformedAddress(), path: '', nav: [], freshness: [] }));
}

/** As it was sent: what a proxy, or somebody in its place, says about the name is not asked here. */
function nameIn(host = ''): string {
  return host.replace(/:\d+$/, '');
}

/**
 * Nothing runs, loads or frames but what this server itself gives: no style or script within a page, no address
 * elsewhere.
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "connect-src 'self'",
  'img-src data:',
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
