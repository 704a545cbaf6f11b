import { once, setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AnyJob, Job } from './define-job.ts';
import type { JobQueue, JobWorker, QueueStore, Repeat } from './store.ts';

/** The queues of all jobs. */
export interface Queues<Context> {
  /** Enqueues a job, unless one with the same key is waiting. */
  enqueue<Payload extends object>(job: Job<Context, Payload>, payload: Payload): Promise<void>;
  repeat<Payload extends object>(job: Job<Context, Payload>, id: string, when: Repeat, payload: Payload): Promise<void>;
}

export interface OwnQueues<Context> extends Queues<Context> {
  /**
   * Called when the process ends: gives up on a server that does not answer in time. The ledger knows the remaining
   * work.
   */
  leave(): void;
}

export function openQueues<Context>(store: QueueStore, mostUnansweredMs = 5_000): OwnQueues<Context> {
  const queues = new Map<string, JobQueue>();
  const queueOf = (name: string): JobQueue => {
    let queue = queues.get(name);
    if (!queue) {
      queue = store.queue(name);
      queues.set(name, queue);
    }
    return queue;
  };
  const leaving = new AbortController();
  setMaxListeners(0, leaving.signal);
  let isGone = false;
  const unlessGone = async (ask: () => Promise<void>): Promise<void> => {
    if (isGone) return;
    const settled = new AbortController();
    const { signal } = settled;
    const giveUp = async () => {
      if (!leaving.signal.aborted) await once(leaving.signal, 'abort', { signal });
      await sleep(mostUnansweredMs, undefined, { signal });
      isGone = true;
    };
    try {
      await Promise.race([ask(), giveUp()]);
    } finally {
      settled.abort();
    }
  };
  return {
    enqueue: (job, payload) => unlessGone(() => queueOf(job.name).add(job.key(payload), payload)),
    repeat: (job, id, when, payload) => unlessGone(() => queueOf(job.name).repeat(id, when, payload)),
    leave: () => leaving.abort(),
  };
}

interface WorkerOptions {
  /** Maximum number of concurrent jobs of a kind that allows several. */
  readonly concurrency: number;
  /** Called when a job fails unexpectedly; jobs handle expected errors themselves. */
  onBug(job: string, error: unknown): void;
  /**
   * Called when a job was aborted because its lock expired, for example while the process was suspended; it will run
   * again.
   */
  onLostLock?(job: string): void;
  /** Closing gives up after this time without a job in progress; default: 10 s. */
  readonly mostIdleMs?: number;
  /** Called when a job ends. `cut_off`: the worker is stopping, or another worker has taken the job. */
  onEnd?(ended: { job: string; outcome: 'done' | 'failed' | 'cut_off'; seconds: number }): void;
}

export interface Workers<Context> {
  /** Takes no new jobs of these kinds for `ms`; jobs in progress continue. */
  takeNone(jobs: readonly AnyJob<Context>[], ms: number): void;
  close(graceMs: number): Promise<void>;
}

/** Runs a worker per job. `close` accepts no new work, lets jobs in progress finish for `graceMs`, then aborts them. */
export function startWorkers<Context>(
  store: QueueStore,
  jobs: readonly AnyJob<Context>[],
  context: Context,
  { concurrency, onBug, onLostLock, mostIdleMs = 10_000, onEnd }: WorkerOptions,
): Workers<Context> {
  const cutOff = new AbortController();
  // Every request of every job in progress adds a listener.
  setMaxListeners(0, cutOff.signal);
  let inProgress = 0;
  const workers = new Map<string, JobWorker>();
  for (const job of jobs) {
    const worker = store.worker(job.name, job.isConcurrent ? concurrency : 1, async (data, signal) => {
      const stop = AbortSignal.any([signal, cutOff.signal]);
      setMaxListeners(0, stop);
      const begunMs = performance.now();
      inProgress += 1;
      const end = (outcome: 'done' | 'failed' | 'cut_off') =>
        onEnd?.({ job: job.name, outcome, seconds: (performance.now() - begunMs) / 1_000 });
      try {
        await job.run(job.payload.parse(data) as never, context, stop);
        end('done');
      } catch (error) {
        end(stop.aborted ? 'cut_off' : 'failed');
        if (!stop.aborted) onBug(job.name, error);
        else if (!cutOff.signal.aborted) onLostLock?.(job.name);
        throw error;
      } finally {
        inProgress -= 1;
      }
    });
    workers.set(job.name, worker);
  }
  return {
    takeNone(jobs, ms) {
      const resting = jobs.flatMap(({ name }) => workers.get(name) ?? []);
      for (const worker of resting) worker.takeNone();
      setTimeout(() => {
        for (const worker of resting) worker.takeAgain();
      }, ms).unref();
    },

    async close(graceMs) {
      const timer = setTimeout(() => cutOff.abort(new Error('the worker is stopping')), graceMs);
      const closed = Promise.all([...workers.values()].map((worker) => worker.close())).then(() => true);
      // A worker whose server freezes or disappears now would wait forever for an answer.
      for (let idleMs = 0; idleMs < mostIdleMs; idleMs = inProgress > 0 ? 0 : idleMs + lookEveryMs) {
        if (await Promise.race([closed, sleep(lookEveryMs, false)])) break;
      }
      closed.catch(() => undefined);
      clearTimeout(timer);
    },
  };
}

const lookEveryMs = 50;
