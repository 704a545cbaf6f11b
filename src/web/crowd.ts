import type { FastifyInstance } from 'fastify';
import { openPaths } from './monitoring/routes.ts';

/** Maximum number of concurrent responses: more would all be late, including health checks. */
const mostAtOnce = 100;
/** Health checks have to be answered. */
const uncounted = new Set<string>(openPaths);

/** Turns requests away, at little cost, while too many are under way. */
export function limitCrowd(server: FastifyInstance): void {
  let underWay = 0;
  server.addHook('onRequest', async (request, reply) => {
    if (uncounted.has(request.url.replace(/\?.*/s, ''))) return;
    if (underWay >= mostAtOnce) {
      return reply.code(503).header('retry-after', '1').send({ error: 'too many requests at once; try again' });
    }
    underWay += 1;
    reply.raw.once('close', () => {
      underWay -= 1;
    });
  });
}
