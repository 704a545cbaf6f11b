import { setTimeout as sleep } from 'node:timers/promises';
import { Queue, Worker } from 'bullmq';
import { createOutage, type Outage } from '../../base/outage.ts';
import { openPostgres, type QueueDatabase } from './postgres.ts';
import { isRedisConnectionError, openRedis } from './redis.ts';

/** A queue by name. */
export interface JobQueue {
  add(key: string, payload: object): Promise<void>;
  /** Repeats `payload` by cron in a time zone; touches the scheduler only when its definition changed. */
  repeat(id: string, when: Repeat, payload: object): Promise<void>;
  close(): Promise<void>;
}

export interface Repeat {
  readonly pattern: string;
  readonly timeZone: string;
}

export interface JobWorker {
  /** Takes no new jobs until it is told to `takeAgain`; those in progress go on. */
  takeNone(): void;
  takeAgain(): void;
  /** Takes no new jobs; resolves when those in progress are done. */
  close(): Promise<void>;
}

/** What is done leaves the queue at once. */
type JobState = 'waiting' | 'active' | 'delayed';

export type Processor = (payload: unknown, signal: AbortSignal) => Promise<void>;

/** Where the queues live. The only place that knows there are two kinds. */
export interface QueueStore {
  readonly kind: 'redis' | 'postgres';
  queue(name: string): JobQueue;
  worker(name: string, concurrency: number, process: Processor): JobWorker;
  /** A queue to look at, as BullMQ has it; nothing is added to it. */
  look(name: string): Queue;
  /** How many jobs of a queue there are in each state. */
  depths(name: string): Promise<Readonly<Record<JobState, number>>>;
  /** Rejects, or hangs, while the server is away. */
  ping(): Promise<void>;
  /** Removes every queue with all it holds. */
  erase(): Promise<void>;
  close(): Promise<void>;
}

interface Log {
  warn(fields: object, message: string): void;
}

/**
 * A job of a worker that was killed comes back after its lock and two checks have passed: 6.5 s measured. The ledger
 * retries, so a job has one attempt; it also bounds the work, so that a job may be given again any number of times.
 * After an error of its connection a worker tries again every second (BullMQ: 15 s).
 */
const workerOptions = { lockDuration: 5_000, maxStalledCount: 1_000, runRetryDelay: 1_000 };
/**
 * Time between two checks for jobs of killed workers, milliseconds: each check writes. A process without a job checks
 * less often.
 */
const stalledCheckMs = { busy: 5_000, idle: 30_000 };
/** A process that has just started may follow one that was killed, so it counts as busy for so long. */
const startedMs = 60_000;
/** `{ count }` would halve the rate and deadlock; a kept job's key could not be queued again. */
const jobOptions = { attempts: 1, removeOnComplete: true, removeOnFail: true };
/** A server that restarts is back within two seconds. */
const addAttempts = 6;
const firstAddRestMs = 50;

/** BullMQ on Redis, on one server or on a cluster. Refuses servers that may evict jobs. */
export async function createRedisStore(url: string, log: Log, namespace = 'pricebook'): Promise<QueueStore> {
  const outage = createOutage(log, isRedisConnectionError);
  const redis = await openRedis(url, outage);
  const { connection } = redis;
  // In braces, with the queue's name: all keys of a queue are on one node of a cluster, and its queues on all nodes.
  const prefixOf = (name: string) => (redis.isCluster ? `{${namespace}:${name}}` : `{${namespace}}`);
  return createStore(outage, {
    kind: 'redis',
    classes: { Queue, Worker },
    optionsOf: (name) => ({ connection, prefix: prefixOf(name) }),
    async erase() {
      await redis.forget(redis.isCluster ? `{${namespace}:` : `{${namespace}}:`);
    },
    async ping() {
      await connection.ping();
    },
    async close() {
      connection.disconnect();
    },
  });
}

/** What the database layer knows of errors. */
interface ErrorKinds {
  /** Whether the connection failed, not the statement. */
  isConnectionError(error: unknown): boolean;
  /** Whether the same statement may succeed when it runs again. */
  isTransient(error: unknown): boolean;
  /** `ServerUnreachable` for an error of the connection. */
  asServerError(error: unknown): unknown;
}

/** BullMQ on PostgreSQL, in a schema of the book's database. The store ends `database` when it is closed. */
export async function createPostgresStore(database: QueueDatabase, log: Log, errors: ErrorKinds): Promise<QueueStore> {
  const outage = createOutage(log, errors.isConnectionError);
  const { classes, recover, close } = await openPostgres(database, outage).catch(async (error) => {
    await database.end();
    throw error;
  });
  return createStore(outage, {
    kind: 'postgres',
    classes: classes as unknown as QueueClasses,
    // Notifications wake a worker; this is how long it waits for one before it looks by itself, in seconds.
    optionsOf: () => ({ connection: database.pool, drainDelay: 300 }),
    errors,
    async recover(error) {
      const isRecovered = await recover(error);
      if (isRecovered)
        log.warn({}, "the queue's schema was dropped; it was created again and is filled from the ledger");
      return isRecovered;
    },
    async erase() {
      await database.pool.query('drop schema if exists bullmq cascade');
    },
    async ping() {
      await database.pool.query('select 1');
    },
    close,
  });
}

interface QueueClasses {
  Queue: typeof Queue;
  Worker: typeof Worker;
}

interface QueueServer extends Pick<QueueStore, 'kind' | 'erase' | 'ping' | 'close'> {
  readonly classes: QueueClasses;
  /** BullMQ's options by the queue's name. */
  optionsOf(name: string): object;
  /** Not set where the client itself repeats what failed. */
  readonly errors?: ErrorKinds;
  recover?(error: unknown): Promise<boolean>;
}

function createStore(outage: Outage, server: QueueServer): QueueStore {
  const { kind, classes, optionsOf, ping, erase } = server;
  const queues: Queue[] = [];
  const looked = new Map<string, Queue>();
  const openedMs = performance.now();
  let inProgress = 0;
  const isBusy = () => inProgress > 0 || performance.now() - openedMs < startedMs;

  const openQueue = (name: string, options: object): Queue => {
    const queue = new classes.Queue(name, { ...optionsOf(name), ...options } as never);
    queue.on('error', (error) => outage.met(error, 'a queue met an error', { queue: name }));
    queues.push(queue);
    return queue;
  };

  const openWorker = (name: string, concurrency: number, process: Processor): Worker => {
    const worker = new classes.Worker(
      name,
      async (job, _token, signal) => {
        inProgress += 1;
        try {
          await process(job.data, signal ?? new AbortController().signal);
        } finally {
          inProgress -= 1;
        }
      },
      { ...optionsOf(name), ...workerOptions, stalledInterval: stalledCheckMs.busy, concurrency } as never,
    );
    Object.defineProperty(worker.opts, 'stalledInterval', {
      get: () => (isBusy() ? stalledCheckMs.busy : stalledCheckMs.idle),
    });
    worker.on('error', (error) => {
      outage.met(error, 'a worker met an error', { queue: name });
      server.recover?.(error).catch(() => undefined);
    });
    // BullMQ does not stop a job whose lock was lost, although another worker may take it from then on.
    worker.on('lockRenewalFailed', (jobIds: string[]) => {
      for (const id of jobIds) worker.cancelJob(id, 'its lock was lost');
    });
    return worker;
  };

  const look = (name: string): Queue => {
    const queue = looked.get(name) ?? openQueue(name, {});
    looked.set(name, queue);
    return queue;
  };

  return {
    kind,
    queue(name) {
      const queue = openQueue(name, { defaultJobOptions: jobOptions });
      const isScheduled = async (id: string, { pattern, timeZone }: Repeat) => {
        const existing = await queue.getJobScheduler(id);
        return existing?.pattern === pattern && existing.tz === timeZone;
      };
      return {
        add: (key, payload) => patiently(server, () => queue.add(name, payload, { jobId: key })),
        repeat: (id, when, payload) =>
          patiently(server, async () => {
            // Upserting an overdue scheduler deletes the iteration that is due.
            if (await isScheduled(id, when)) return;
            const { pattern, timeZone: tz } = when;
            const template = { name, data: payload, opts: jobOptions };
            await queue.upsertJobScheduler(id, { pattern, tz }, template).catch(async (error) => {
              // Refused where another process put the same one in the meantime.
              if (!(await isScheduled(id, when))) throw error;
            });
          }),
        close: () => queue.close(),
      };
    },
    worker(name, concurrency, process) {
      let worker: Worker | null = openWorker(name, concurrency, process);
      let isClosing = false;
      /** Workers that take no new jobs, each until its last job has ended. */
      const ending = new Set<Promise<void>>();
      const end = () => {
        const ended = worker?.close().finally(() => ending.delete(ended!));
        if (ended) ending.add(ended);
        worker = null;
      };
      return {
        takeNone: end,
        takeAgain() {
          if (!isClosing) worker ??= openWorker(name, concurrency, process);
        },
        async close() {
          isClosing = true;
          end();
          await Promise.all(ending);
        },
      };
    },
    look,
    async depths(name) {
      const counts = await look(name).getJobCounts('waiting', 'prioritized', 'active', 'delayed');
      const { waiting = 0, prioritized = 0, active = 0, delayed = 0 } = counts;
      return { waiting: waiting + prioritized, active, delayed };
    },
    ping,
    erase,
    async close() {
      outage.stopTelling();
      await Promise.allSettled(queues.map((queue) => queue.close()));
      await server.close();
    },
  };
}

/**
 * Adding a job under its key, or a schedule, may be repeated: after the schema was created again, after a connection
 * broke (ioredis connects again by itself), and after PostgreSQL ended the statement in a deadlock.
 */
async function patiently({ errors, recover }: QueueServer, add: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await add();
      return;
    } catch (error) {
      const mayRepeat =
        errors?.isConnectionError(error) || errors?.isTransient(error) || (await recover?.(error).catch(() => false));
      if (!mayRepeat || attempt === addAttempts) throw errors ? errors.asServerError(error) : error;
      await sleep(firstAddRestMs * 2 ** attempt);
    }
  }
}
