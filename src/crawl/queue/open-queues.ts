import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AnyJob, Job } from './define-job.ts';
import type { QueueStore, Repeat } from './store.ts';

/** The queues of all jobs. */
export interface Queues<Context> {
  /** Enqueues a job, unless one with the same key is waiting. */
  enqueue<Data extends object>(job: Job<Context, Data>, data: Data): Promise<void>;
  repeat<Data extends object>(job: Job<Context, Data>, id: string, when: Repeat, data: Data): Promise<void>;
}

export function openQueues<Context>(store: QueueStore): Queues<Context> {
  return {
    enqueue: (job, data) => store.queue(job.name).add(job.key(data), data),
    repeat: (job, id, when, data) => store.queue(job.name).repeat(id, when, data),
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
  /** Called when a job ends. `cut_off`: the worker is stopping, or another worker has taken the job. */
  onEnd?(ended: { job: string; outcome: 'done' | 'failed' | 'cut_off'; seconds: number }): void;
}

export interface Workers {
  close(graceMs: number): Promise<void>;
}

/** Runs a worker per job. `close` accepts no new work, lets jobs in progress finish for `graceMs`, then aborts them. */
export function startWorkers<Context>(
  store: QueueStore,
  jobs: readonly AnyJob<Context>[],
  context: Context,
  { concurrency, onBug, onLostLock, onEnd }: WorkerOptions,
): Workers {
  const cutOff = new AbortController();
  // Every request of every job in progress adds a listener.
  setMaxListeners(0, cutOff.signal);
  const workers = jobs.map((job) =>
    store.worker(job.name, job.isConcurrent ? concurrency : 1, async (data, signal) => {
      const stop = AbortSignal.any([signal, cutOff.signal]);
      setMaxListeners(0, stop);
      const begunMs = performance.now();
      const end = (outcome: 'done' | 'failed' | 'cut_off') =>
        onEnd?.({ job: job.name, outcome, seconds: (performance.now() - begunMs) / 1_000 });
      try {
        await job.run(job.data.parse(data) as never, context, stop);
        end('done');
      } catch (error) {
        end(stop.aborted ? 'cut_off' : 'failed');
        if (!stop.aborted) onBug(job.name, error);
        else if (!cutOff.signal.aborted) onLostLock?.(job.name);
        throw error;
      }
    }),
  );
  return {
    async close(graceMs) {
      const timer = setTimeout(() => cutOff.abort(new Error('the worker is stopping')), graceMs);
      const late = new AbortController();
      const closed = Promise.all(workers.map((worker) => worker.close()));
      closed.catch(() => undefined);
      try {
        // A worker or job whose server freezes or disappears now would wait forever. The ledger knows the remaining
        // work.
        await Promise.race([closed, sleep(graceMs + maxUnansweredMs, undefined, { signal: late.signal })]);
      } finally {
        late.abort();
        clearTimeout(timer);
      }
    },
  };
}

/** Time after which jobs that were aborted are left alone. */
const maxUnansweredMs = 5_000;
