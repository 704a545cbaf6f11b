import { Queue, Worker } from 'bullmq';
import { type LimitedErrors, limitErrors } from '../../base/limited-lines.ts';
import { openPostgres, type QueueDatabase } from './postgres.ts';
import { asRedisError, forget, openRedis } from './redis.ts';

/** A queue with a name. */
export interface JobQueue {
  add(key: string, data: object): Promise<void>;
  /** Repeats `data` by cron in a time zone. Writes to the scheduler only if its definition changed. */
  repeat(id: string, when: Repeat, data: object): Promise<void>;
}

export interface Repeat {
  readonly pattern: string;
  readonly timeZone: string;
}

export interface JobWorker {
  /** Takes no new jobs; resolves when those in progress have finished. */
  close(): Promise<void>;
}

/** Finished jobs leave the queue at once. */
type JobState = 'waiting' | 'active' | 'delayed';

export type Processor = (data: unknown, signal: AbortSignal) => Promise<void>;

/** Storage of the queues, on Redis or PostgreSQL. No other code distinguishes the two. */
export interface QueueStore {
  readonly kind: 'redis' | 'postgres';
  queue(name: string): JobQueue;
  worker(name: string, concurrency: number, process: Processor): JobWorker;
  /** BullMQ's view of a queue, for inspection only. */
  look(name: string): Queue;
  /** Number of jobs of a queue in each state. */
  depths(name: string): Promise<Readonly<Record<JobState, number>>>;
  /** Rejects or hangs while the server is unreachable. */
  ping(): Promise<void>;
  /** Deletes all queues with their jobs. */
  erase(): Promise<void>;
  close(): Promise<void>;
}

interface Log {
  warn(fields: object, message: string): void;
}

/**
 * A job of a killed worker runs again after its lock and two checks have expired. A job has one attempt, because the
 * ledger retries and bounds the work; it may therefore stall any number of times. After an error, a worker retries
 * every second (BullMQ: 15 s).
 */
const workerOptions = { lockDuration: 5_000, stalledInterval: 5_000, maxStalledCount: 1_000, runRetryDelay: 1_000 };
/** `{ count }` would halve the rate and deadlock; the key of a kept job could not be queued again. */
const jobOptions = { attempts: 1, removeOnComplete: true, removeOnFail: true };

/**
 * BullMQ on a Redis server or a Redis Cluster. `namespace` separates databases that share a server; the keys of all its
 * queues are on one node of a cluster, because BullMQ's scripts use several keys.
 */
export async function createRedisStore(url: string, log: Log, namespace: string): Promise<QueueStore> {
  const errors = limitErrors(log);
  const connection = await openRedis(url, errors);
  const prefix = `{pricebook-${namespace}}`;
  return createStore(errors, {
    kind: 'redis',
    classes: { Queue, Worker },
    options: { connection, prefix },
    // The client repeats by itself what a lost connection cut off.
    retried: async (add) => void (await add().catch(asRedisError)),
    erase: () => forget(connection, `${prefix}:`).catch(asRedisError),
    ping: async () => void (await connection.ping().catch(asRedisError)),
    close: async () => connection.disconnect(),
  });
}

/** BullMQ on PostgreSQL, in a schema of the same database. Closing the store closes `database`. */
export async function createPostgresStore(database: QueueDatabase, log: Log): Promise<QueueStore> {
  const errors = limitErrors(log);
  const { classes, recover, retried, close } = await openPostgres(database, errors).catch(async (error) => {
    await database.end();
    throw error;
  });
  return createStore(errors, {
    kind: 'postgres',
    classes: classes as unknown as QueueServer['classes'],
    // Notifications wake a worker; `drainDelay` is the polling interval in seconds without one.
    options: { connection: database.pool, drainDelay: 300 },
    retried,
    recover,
    erase: async () => void (await database.pool.query('drop schema if exists bullmq cascade')),
    ping: async () => void (await database.pool.query('select 1')),
    close,
  });
}

interface QueueServer extends Pick<QueueStore, 'kind' | 'erase' | 'ping' | 'close'> {
  readonly classes: { readonly Queue: typeof Queue; readonly Worker: typeof Worker };
  /** BullMQ's options for its queues. */
  readonly options: object;
  /** Adds a job or a schedule, which may be repeated. */
  retried(add: () => Promise<unknown>): Promise<void>;
  /** Recreates what `error` says is missing; returns whether it did. */
  recover?(error: unknown): Promise<boolean>;
}

function createStore(errors: LimitedErrors, server: QueueServer): QueueStore {
  const { kind, classes, options, retried, recover, ping, erase } = server;
  const queues = new Map<string, Queue>();

  const queueOf = (name: string): Queue => {
    let queue = queues.get(name);
    if (queue) return queue;
    queue = new classes.Queue(name, { ...options, defaultJobOptions: jobOptions } as never);
    queue.on('error', (error) => errors.met(error, 'a queue failed', { queue: name }));
    queues.set(name, queue);
    return queue;
  };

  const openWorker = (name: string, concurrency: number, process: Processor): JobWorker => {
    const worker = new classes.Worker(
      name,
      (job, _token, signal) => process(job.data, signal ?? new AbortController().signal),
      { ...options, ...workerOptions, concurrency } as never,
    );
    worker.on('error', (error) => {
      errors.met(error, 'a queue worker failed', { queue: name });
      recover?.(error).catch(() => undefined);
    });
    // BullMQ continues a job whose lock was lost, although another worker may take it.
    worker.on('lockRenewalFailed', (jobIds: string[]) => {
      for (const id of jobIds) worker.cancelJob(id, 'its lock was lost');
    });
    return { close: () => worker.close() };
  };

  return {
    kind,
    queue: (name) => ({
      add: (key, data) => retried(() => queueOf(name).add(name, data, { jobId: key })),
      repeat: (id, when, data) => retried(() => schedule(queueOf(name), id, when, data)),
    }),
    worker: openWorker,
    look: queueOf,
    async depths(name) {
      const counts = await queueOf(name).getJobCounts('waiting', 'prioritized', 'active', 'delayed');
      const { waiting = 0, prioritized = 0, active = 0, delayed = 0 } = counts;
      return { waiting: waiting + prioritized, active, delayed };
    },
    ping,
    erase,
    async close() {
      errors.stop();
      await Promise.allSettled([...queues.values()].map((queue) => queue.close()));
      await server.close();
    },
  };
}

async function schedule(queue: Queue, id: string, { pattern, timeZone: tz }: Repeat, data: object): Promise<void> {
  const isScheduled = async () => {
    const existing = await queue.getJobScheduler(id);
    return existing?.pattern === pattern && existing.tz === tz;
  };
  // Upserting an overdue scheduler would delete the iteration that is due.
  if (await isScheduled()) return;
  const template = { name: queue.name, data, opts: jobOptions };
  await queue.upsertJobScheduler(id, { pattern, tz }, template).catch(async (error) => {
    // Rejected if another process has just created the same scheduler.
    if (!(await isScheduled())) throw error;
  });
}
