import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { FastifyAdapter } from '@bull-board/fastify';
import type { Queue } from 'bullmq';
import type { FastifyInstance } from 'fastify';
import { contentSecurityPolicy } from './assets.ts';
import { queueCheck } from './monitoring/monitoring.ts';
import type { CheckResult } from './monitoring/readiness.ts';

/** A queue with the name of its job. */
export interface ShownQueue {
  readonly name: string;
  readonly queue: Queue;
}

interface QueueBoardNeeds {
  /** Null: the connections are not open yet. */
  queues(): readonly ShownQueue[] | null;
  /** Readiness checks of this process; a request to an unreachable Redis would wait for it. */
  look(): Promise<readonly CheckResult[]>;
  onTrouble(error: unknown): void;
}

export const boardPath = '/jobs/board';

export interface QueueDepth {
  readonly name: string;
  readonly active: number;
  readonly waiting: number;
}

/** The queues, if they can be reached. */
async function reachable({ queues, look }: Pick<QueueBoardNeeds, 'queues' | 'look'>) {
  const away = (await look()).some(({ name, reason }) => name === queueCheck && reason !== null);
  return away ? null : queues();
}

/** Depths of all queues; null: they cannot be reached. */
export async function readDepths(needs: QueueBoardNeeds): Promise<readonly QueueDepth[] | null> {
  const queues = await reachable(needs);
  if (queues === null) return null;
  const depths: QueueDepth[] = [];
  try {
    // Sequential, because concurrent reads would open one PostgreSQL connection per queue.
    for (const { name, queue } of queues) {
      const counts = await queue.getJobCounts('waiting', 'prioritized', 'active');
      const { waiting = 0, prioritized = 0, active = 0 } = counts;
      depths.push({ name, active, waiting: waiting + prioritized });
    }
    return depths;
  } catch (error) {
    needs.onTrouble(error);
    return null;
  }
}

/**
 * Read-only bull-board. Jobs cannot be changed here, because the ledger decides about work: a removed job would come
 * back, and a retried one would find nothing to do.
 */
export async function serveQueueBoard(server: FastifyInstance, needs: QueueBoardNeeds): Promise<void> {
  const adapter = new FastifyAdapter();
  const board = createBullBoard({
    queues: [],
    serverAdapter: adapter.setBasePath(boardPath),
    options: {
      // It counts clients of a Redis server, which PostgreSQL does not have: Operations counts the processes.
      uiConfig: {
        ...{ boardTitle: 'Jobs', hideRedisDetails: true, showWorkers: false },
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
        // Its script adds inline styles. Its style sheet of another website is refused.
        reply.header('content-security-policy', contentSecurityPolicy("'unsafe-inline'", "'self'"));
        if (request.method !== 'GET') return reply.code(405).send({ error: 'the job queues are read-only here' });
        if (!request.url.startsWith(`${boardPath}/api/`)) return;
        const queues = await reachable(needs);
        if (queues === null) return reply.code(503).send({ error: trouble });
        if (queues.length === shown.length && queues.every(({ queue }, i) => queue === shown[i])) return;
        shown = queues.map(({ queue }) => queue);
        const options = { readOnlyMode: true, allowRetries: false };
        board.replaceQueues(
          queues.map(({ name, queue }) => new BullMQAdapter(queue, { ...options, displayName: name })),
        );
      });
      await scope.register(adapter.registerPlugin());
    },
    { prefix: boardPath },
  );
}

const trouble = 'the job queues cannot be reached at the moment';
