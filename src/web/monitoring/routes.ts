import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Monitoring } from './monitoring.ts';
import { describeReadiness, isReady } from './readiness.ts';

/** Answered to everybody: they say nothing of the book, and no address. */
export const openPaths = ['/healthz', '/readyz'] as const;

/**
 * `/healthz`: the process is alive; `/readyz`: it can do its work; `/metrics`. Who may read the last is the server's to
 * say.
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
