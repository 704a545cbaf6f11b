import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { RegionCode } from '../base/model/index.ts';
import { phaseNames, type Status } from '../questions/status.ts';

/** Progress of a region's run, as a sentence and as a fraction. */
interface LiveRun {
  readonly region: RegionCode;
  readonly line: string;
  readonly done: number;
  /** At least 1 while a run is open; 0 otherwise. */
  readonly planned: number;
}

const eventStream = 'text/event-stream; charset=utf-8';
const everyMs = 2_000;
/** Maximum number of concurrent connections; other browsers see the progress at load time. */
const mostListeners = 50;

export function liveRuns({ regions }: Pick<Status, 'regions'>): LiveRun[] {
  return regions.map(({ region, open }) => {
    if (!open) return { region, line: 'No run is open.', done: 0, planned: 0 };
    const { pagesDone, pagesFailed, pagesPlanned, detailsDone, detailsPlanned, requests } = open.progress;
    const waiting = open.run.pausedFor === null ? '' : ` Waiting: ${open.run.pausedFor}.`;
    return {
      region,
      line:
        `The run of ${open.run.snapshotDate} is open: ${phaseNames[open.run.phase]}; ` +
        `${pagesDone} of ${pagesPlanned} pages, ${detailsDone} of ${detailsPlanned} details, ` +
        `${requests} requests.${waiting}`,
      done: pagesDone + pagesFailed + detailsDone,
      planned: Math.max(1, pagesPlanned + detailsPlanned),
    };
  });
}

/** `/live`: progress of open runs as server-sent events. All connections share one poll of the database. */
export function serveLive(server: FastifyInstance, readStatus: () => Promise<Status>): void {
  const listeners = new Set<ServerResponse>();
  let last = '';
  let isLooking = false;

  const look = async () => {
    isLooking = true;
    while (listeners.size > 0) {
      // A failed read is skipped; the next poll reports the change.
      const now = await readStatus().then(
        (status) => JSON.stringify(liveRuns(status)),
        () => last,
      );
      // An empty event keeps the connection open through proxies.
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
    if (listeners.size >= mostListeners)
      return reply.code(503).send({ error: 'too many connections to /live: reload the page to update it' });
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
