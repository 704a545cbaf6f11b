import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { FastifyAdapter } from '@bull-board/fastify';
import type { Queue } from 'bullmq';
import type { FastifyInstance } from 'fastify';
import { queueCheck } from './monitoring/monitoring.ts';
import type { CheckResult } from './monitoring/readiness.ts';

/** A queue as it is shown, by the name of its job. */
export interface ShownQueue {
  readonly name: string;
  readonly queue: Queue;
}

interface QueueBoardNeeds {
  /** Null: they are not open yet. */
  queues(): readonly ShownQueue[] | null;
  /** The checks of this process: questions to a server that is away would wait for it. */
  look(): Promise<readonly CheckResult[]>;
  onTrouble(error: unknown): void;
}

export const boardPath = '/jobs';

/**
 * What waits, runs and is planned in the queues, as bull-board shows it. Read-only: the ledger decides what is to be
 * done, so a job that is removed here comes back, and one that is retried finds nothing to do.
 */
export async function serveQueueBoard(server: FastifyInstance, needs: QueueBoardNeeds): Promise<void> {
  const adapter = new FastifyAdapter();
  const board = createBullBoard({
    queues: [],
    serverAdapter: adapter.setBasePath(boardPath),
    options: {
      uiConfig: {
        boardTitle: 'Pricebook: jobs',
        miscLinks: [{ text: 'Explorer', url: '/' }],
        hideRedisDetails: true,
        pollingInterval: { showSetting: true },
      },
    },
  });
  adapter.setErrorHandler((error) => {
    needs.onTrouble(error);
    return { status: 500, body: { error: trouble } };
  });
  let shown: readonly Queue[] = [];

  await server.register(
    async (scope) => {
      scope.addHook('onRequest', async (request, reply) => {
        reply.header('content-security-policy', contentSecurityPolicy);
        if (request.method !== 'GET') return reply.code(405).send({ error: 'the queues can only be looked at' });
        if (!request.url.startsWith(`${boardPath}/api/`)) return;
        const queues = needs.queues();
        const away = (await needs.look()).some(({ name, reason }) => name === queueCheck && reason !== null);
        if (queues === null || away) return reply.code(503).send({ error: trouble });
        if (queues.length === shown.length && queues.every(({ queue }, i) => queue === shown[i])) return;
        shown = queues.map(({ queue }) => queue);
        board.replaceQueues(queues.map(adapterOf));
      });
      scope.addHook('onSend', async (_request, _reply, payload) =>
        typeof payload === 'string' ? withoutOutsideFonts(payload) : payload,
      );
      await scope.register(adapter.registerPlugin());
    },
    { prefix: boardPath },
  );
}

const trouble = 'the queues cannot be asked at the moment';

function adapterOf({ name, queue }: ShownQueue): BullMQAdapter {
  return new BullMQAdapter(queue, { readOnlyMode: true, allowRetries: false, displayName: name });
}

/** Its page asks a font service of others for its letters. */
function withoutOutsideFonts(html: string): string {
  return html.replace(/<link href="https?:[^>]*>/g, '');
}

/**
 * As strict as bull-board's own page lets it be: its script writes styles into the page. All of it comes from this
 * server.
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "style-src 'self' 'unsafe-inline'",
  "script-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');
