import fastify, { type FastifyReply } from 'fastify';
import type { Run } from '../ledger/runs.ts';
import { createMetrics } from '../metrics/metrics.ts';
import type { Status } from '../status/status.ts';
import { contentSecurityPolicy, page } from './page.ts';
import { runJson, statusJson } from './status-json.ts';

export interface DashboardNeeds {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  readStatus(): Promise<Status>;
  /** The last runs, newest first. */
  readRuns(): Promise<readonly Run[]>;
  /** A question nobody could answer: the database is away. */
  onTrouble(error: unknown): void;
}

export interface Dashboard {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves `/` (for people), `/api/status`, `/healthz` and `/metrics`, all of them read-only. Rejects with EADDRINUSE when the port
 * is taken. It asks nobody who he is, so keep it on loopback or behind something that does.
 */
export async function openDashboard(needs: DashboardNeeds): Promise<Dashboard> {
  const { host, port, readStatus, readRuns, onTrouble } = needs;
  const metrics = createMetrics();
  const server = fastify({ forceCloseConnections: true });

  server.addHook('onRequest', async (request, reply) => {
    // A page of somebody else whose name was pointed at this machine (DNS rebinding) sends its own name.
    if (isLoopback(host) && !isLoopback(request.hostname)) return reply.code(421).send('not the host you think\n');
  });
  server.addHook('onSend', async (_request, reply) => {
    for (const [name, value] of Object.entries(headers)) reply.header(name, value);
  });
  server.setErrorHandler((error, _request, reply) => {
    onTrouble(error);
    return reply.code(503).send({ error: 'the database cannot be asked at the moment' });
  });

  server.get('/', (_request, reply) => reply.type('text/html; charset=utf-8').send(page));
  server.get('/api/status', async () => ({
    ...statusJson(await readStatus()),
    runs: (await readRuns()).map(runJson),
  }));
  server.get('/healthz', async (_request, reply: FastifyReply) => {
    await readRuns();
    return reply.type('text/plain').send('ok\n');
  });
  server.get('/metrics', async (_request, reply) =>
    reply.type(metrics.contentType).send(await metrics.render(await readStatus())),
  );

  const url = await server.listen({ host, port }).catch(async (error) => {
    await server.close();
    throw error;
  });
  return { url, close: () => server.close() };
}

const headers = {
  'content-security-policy': contentSecurityPolicy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};

function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/.test(host);
}
