import type { FastifyInstance } from 'fastify';
import type { RegionCode } from '../model/index.ts';
import type { Status } from '../status/status.ts';

/** How far the run of a region is, as one sentence and as a share. */
export interface LiveRun {
  readonly region: RegionCode;
  readonly line: string;
  readonly done: number;
  /** At least 1; 0: nothing is under way. */
  readonly planned: number;
}

const phases: Readonly<Record<string, string>> = {
  taxonomy: 'reading the categories',
  listing: 'reading the pages',
  details: 'reading details',
  finishing: 'certifying and publishing',
  over: 'done',
};

const eventStream = 'text/event-stream; charset=utf-8';
const everyMs = 2_000;
/** Browsers that listen at once; the others see what the page said when it was loaded. */
const mostListeners = 50;

export function liveRuns({ regions }: Pick<Status, 'regions'>): LiveRun[] {
  return regions.map(({ region, open }) => {
    if (!open) return { region, line: 'Nothing is being crawled.', done: 0, planned: 0 };
    const { pagesDone, pagesFailed, pagesPlanned, detailsDone, detailsPlanned, requests } = open.progress;
    const waiting = open.run.pausedFor === null ? '' : ` Waiting: ${open.run.pausedFor}.`;
    const phase = phases[open.run.phase] ?? open.run.phase;
    return {
      region,
      line:
        `The night of ${open.run.snapshotDate} is under way: ${phase}; ${pagesDone} of ${pagesPlanned} pages, ` +
        `${detailsDone} of ${detailsPlanned} details, ${requests} requests.${waiting}`,
      done: pagesDone + pagesFailed + detailsDone,
      planned: Math.max(1, pagesPlanned + detailsPlanned),
    };
  });
}

/** `/live`: the runs under way as server-sent events, one whenever they have moved. */
export function serveLive(server: FastifyInstance, readStatus: () => Promise<Status>): void {
  let listeners = 0;
  server.get('/live', async (request, reply) => {
    if (request.method === 'HEAD') return reply.type(eventStream).send();
    if (listeners >= mostListeners) return reply.code(503).send({ error: 'too many are listening' });
    listeners += 1;
    reply.hijack();
    reply.raw.writeHead(200, {
      'content-type': eventStream,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    let last = '';
    let timer: NodeJS.Timeout | undefined;
    let isGone = false;
    request.raw.on('close', () => {
      isGone = true;
      listeners -= 1;
      clearTimeout(timer);
    });
    const tell = async () => {
      // A database that is away for a moment is no event: the next look tells.
      const now = await readStatus().then(
        (status) => JSON.stringify(liveRuns(status)),
        () => last,
      );
      if (isGone) return;
      // A comment keeps the connection open through proxies.
      reply.raw.write(now === last ? ': \n\n' : `data: ${now}\n\n`);
      last = now;
      timer = setTimeout(tell, everyMs);
    };
    await tell();
    return reply;
  });
}
