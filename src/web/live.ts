import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { RegionCode } from '../base/model/index.ts';
import { phaseNames, type Status } from '../questions/status.ts';

/** How far the run of a region is, as one sentence and as a share. */
interface LiveRun {
  readonly region: RegionCode;
  readonly line: string;
  readonly done: number;
  /** At least 1; 0: nothing is under way. */
  readonly planned: number;
}

const eventStream = 'text/event-stream; charset=utf-8';
const everyMs = 2_000;
/** Browsers that listen at once; the others see what the page said when it was loaded. */
const mostListeners = 50;

export function liveRuns({ regions }: Pick<Status, 'regions'>): LiveRun[] {
  return regions.map(({ region, open }) => {
    if (!open) return { region, line: 'Nothing is being crawled.', done: 0, planned: 0 };
    const { pagesDone, pagesFailed, pagesPlanned, detailsDone, detailsPlanned, requests } = open.progress;
    const waiting = open.run.pausedFor === null ? '' : ` Waiting: ${open.run.pausedFor}.`;
    return {
      region,
      line:
        `The night of ${open.run.snapshotDate} is under way: ${phaseNames[open.run.phase]}; ${pagesDone} of ${pagesPlanned} pages, ` +
        `${detailsDone} of ${detailsPlanned} details, ${requests} requests.${waiting}`,
      done: pagesDone + pagesFailed + detailsDone,
      planned: Math.max(1, pagesPlanned + detailsPlanned),
    };
  });
}

/**
 * `/live`: the runs under way as server-sent events, one whenever they have moved. All who listen share one look at
 * them.
 */
export function serveLive(server: FastifyInstance, readStatus: () => Promise<Status>): void {
  const listeners = new Set<ServerResponse>();
  let last = '';
  let isLooking = false;

  const look = async () => {
    isLooking = true;
    while (listeners.size > 0) {
      // A database that is away for a moment is no event: the next look tells.
      const now = await readStatus().then(
        (status) => JSON.stringify(liveRuns(status)),
        () => last,
      );
      // A comment keeps the connection open through proxies.
      const message = now === last ? ': \n\n' : eventOf(now);
      last = now;
      for (const listener of listeners) listener.write(message);
      await sleep(everyMs, undefined, { ref: false });
    }
    isLooking = false;
    last = '';
  };

  server.get('/live', async (request, reply) => {
    if (request.method === 'HEAD') return reply.type(eventStream).send();
    if (listeners.size >= mostListeners) return reply.code(503).send({ error: 'too many are listening' });
    reply.hijack();
    const response = reply.raw;
    response.writeHead(200, {
      'content-type': eventStream,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    request.raw.on('close', () => listeners.delete(response));
    listeners.add(response);
    if (last !== '') response.write(eventOf(last));
    if (!isLooking) void look();
    return reply;
  });
}

const eventOf = (line: string) => `data: ${line}\n\n`;
