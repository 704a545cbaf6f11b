import fastify from 'fastify';
import type { Secret } from '../../app/config/secret.ts';
import { createAccess, isLoopback } from '../access/access.ts';
import type { Monitoring } from './monitoring.ts';
import { openPaths, serveMonitoring } from './routes.ts';

interface MonitoringServerNeeds {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Bearer tokens for `/metrics` if the server is not on loopback. */
  readonly tokens: Secret | null;
  readonly monitoring: Monitoring;
}

/**
 * Health, readiness and metrics for processes without the explorer. On loopback no token is required; on other
 * addresses `/metrics` needs one, and is closed if none is configured. Rejects with EADDRINUSE.
 */
export async function openMonitoringServer(needs: MonitoringServerNeeds) {
  const { host, port, tokens, monitoring } = needs;
  const server = fastify({ forceCloseConnections: true });
  const { hasToken } = createAccess({ host: '127.0.0.1', password: null, userHeader: null, tokens });
  const isOpenTo = new Set<string>(openPaths);

  server.addHook('onRequest', async (request, reply) => {
    // DNS rebinding: a foreign page whose name resolves to this machine sends its own host name.
    if (isLoopback(host) && !isLoopback(request.hostname)) return reply.code(421).send('wrong host name\n');
    if (isOpenTo.has(request.url) || isLoopback(host)) return;
    if (hasToken(request.headers)) return;
    return reply.code(401).send('send a token of DASHBOARD_TOKENS: Authorization: Bearer …\n');
  });
  server.addHook('onSend', async (_request, reply) => {
    reply.header('x-content-type-options', 'nosniff').header('content-security-policy', "default-src 'none'");
  });
  server.setNotFoundHandler((_request, reply) => reply.code(404).type('text/plain').send('not found\n'));
  serveMonitoring(server, monitoring);

  try {
    return { url: await server.listen({ host, port }), close: () => server.close() };
  } catch (error) {
    await server.close();
    throw error;
  }
}
