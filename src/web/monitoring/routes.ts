import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Monitoring } from './monitoring.ts';
import { describeReadiness, isReady } from './readiness.ts';

/** Served without authentication; the responses contain no data and no address. */
export const openPaths = ['/healthz', '/readyz'] as const;

/**
 * `/healthz`: the process is alive; `/readyz`: its checks pass; `/metrics`. The caller controls access to `/metrics`.
 */
export function serveMonitoring(server: FastifyInstance, monitoring: Monitoring): void {
  const plain = (reply: FastifyReply) => reply.type('text/plain; charset=utf-8').header('cache-control', 'no-store');

  server.get('/healthz', (_request, reply) => plain(reply).send('ok\n'));
  server.get('/readyz', async (_request, reply) => {
    const results = await monitoring.look();
    return plain(reply)
      .code(isReady(results) ? 200 : 503)
      .send(describeReadiness(results));
  });
  server.get('/metrics', async (_request, reply) =>
    reply
      .type(monitoring.contentType)
      .header('cache-control', 'no-store')
      .send(await monitoring.metrics()),
  );
}
