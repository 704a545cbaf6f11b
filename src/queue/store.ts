import { setTimeout as sleep } from 'node:timers/promises';
import { createPostgresBackend, Queue, Worker, withBackend } from 'bullmq';
import type { ServerUnreachable } from '../errors.ts';
import { createOutage, type Outage } from '../outage.ts';
import { isSchemaGone, openPostgres, unreachable } from './postgres.ts';
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
export type JobState = 'waiting' | 'active' | 'delayed';

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
 * A killed worker's jobs come back after about lock plus stall check (5 s each: 6.5 s measured). The ledger retries, so
 * a job has one attempt; it bounds work too, so being stalled again and again does not kill a job. After an error of its
 * connection a worker looks again every second (BullMQ: 15 s).
 */
const workerOptions = { lockDuration: 5_000, stalledInterval: 5_000, maxStalledCount: 1_000, runRetryDelay: 1_000 };
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
  const classes = { Queue, Worker };
  // In braces, with the queue's name: all keys of a queue are on one node of a cluster, and its queues on all nodes.
  const prefixOf = (name: string) => (redis.isCluster ? `{${namespace}:${name}}` : `{${namespace}}`);
  return createStore('redis', classes, (name) => ({ connection, prefix: prefixOf(name) }), outage, {
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

export interface PostgresStoreOptions {
  readonly maxWorkers?: number;
  /** Whether the connection failed, not what was asked over it. */
  isConnectionError?(error: unknown): boolean;
  /** Whether the same statement, run again, may succeed: PostgreSQL ended it for another's sake. */
  isTransient?(error: unknown): boolean;
}

/** BullMQ on PostgreSQL, in a database of its own: one open reader beside it would slow the queue tenfold. */
export async function createPostgresStore(
  url: string,
  log: Log,
  { maxWorkers = 8, isConnectionError = () => false, isTransient = () => false }: PostgresStoreOptions = {},
): Promise<QueueStore> {
  const outage = createOutage(log, isConnectionError);
  const { pool, makeSchema, close } = await openPostgres(url, outage, maxWorkers);
  const classes = withBackend(createPostgresBackend);
  return createStore('postgres', classes as unknown as QueueClasses, () => ({ connection: pool }), outage, {
    async erase() {
      await pool.query('drop schema if exists bullmq cascade');
    },
    async recover(error) {
      if (!isSchemaGone(error)) return false;
      log.warn({}, "the queue's schema is gone; it is made again, and filled from the ledger");
      await makeSchema();
      return true;
    },
    unreachable: (cause) => (isConnectionError(cause) ? unreachable(cause) : null),
    isTransient,
    async ping() {
      await pool.query('select 1');
    },
    close,
  });
}

interface QueueClasses {
  Queue: typeof Queue;
  Worker: typeof Worker;
}

interface QueueServer extends Pick<QueueStore, 'erase' | 'ping' | 'close'> {
  recover?(error: unknown): Promise<boolean>;
  unreachable?(cause: unknown): ServerUnreachable | null;
  isTransient?(error: unknown): boolean;
}

function createStore(
  kind: QueueStore['kind'],
  classes: QueueClasses,
  /** Options by the queue's name. */
  baseOf: (name: string) => object,
  outage: Outage,
  server: QueueServer,
): QueueStore {
  const opened: { close(): Promise<void> }[] = [];
  const openQueue = (name: string, options: object): OpenQueue => {
    const open = () => {
      const queue = new classes.Queue(name, { ...baseOf(name), ...options } as never);
      queue.on('error', (error) => outage.met(error, 'a queue met an error', { queue: name }));
      return queue;
    };
    let queue = open();
    const kept: OpenQueue = {
      current: () => queue,
      openAgain(stuck) {
        if (queue === stuck) queue = open();
        void stuck.close().catch(() => undefined);
      },
      close: () => queue.close(),
    };
    opened.push(kept);
    return kept;
  };
  const looked = new Map<string, OpenQueue>();
  /** To look at, not to add to. */
  const lookAt = (name: string): OpenQueue => {
    const known = looked.get(name) ?? openQueue(name, {});
    looked.set(name, known);
    return known;
  };
  return {
    kind,
    queue(name) {
      const kept = openQueue(name, { defaultJobOptions: jobOptions });
      const ask = (question: (queue: Queue) => Promise<unknown>) =>
        patiently(server, async () => {
          const asked = kept.current();
          await question(asked).catch(async (error) => {
            const isRecovered = await server.recover?.(error);
            if (isRecovered || (await isStuck(asked))) kept.openAgain(asked);
            if (!isRecovered) throw error;
            await question(kept.current());
          });
        });
      return {
        add: (key, payload) => ask((queue) => queue.add(name, payload, { jobId: key })),
        repeat: (id, { pattern, timeZone }, payload) =>
          ask(async (queue) => {
            const isThere = async () => {
              const existing = await queue.getJobScheduler(id);
              return existing?.pattern === pattern && existing.tz === timeZone;
            };
            // Upserting an overdue scheduler deletes the iteration that is due.
            if (await isThere()) return;
            const repeated = { name, data: payload, opts: jobOptions };
            await queue.upsertJobScheduler(id, { pattern, tz: timeZone }, repeated).catch(async (error) => {
              // Refused where another process put the same one in the meantime.
              if (!(await isThere())) throw error;
            });
          }),
        close: kept.close,
      };
    },
    worker(name, concurrency, process) {
      let isClosing = false;
      /** Resolves when the worker that was closed to take no jobs has ended. */
      let rested: Promise<void> | null = null;
      const open = () => {
        const worker = new classes.Worker(
          name,
          async (job, _token, signal) => process(job.data, signal ?? new AbortController().signal),
          { ...baseOf(name), ...workerOptions, concurrency, autorun: false } as never,
        );
        worker.on('error', (error) => outage.met(error, 'a worker met an error', { queue: name }));
        // A lost lock stops nothing by itself; the job is somebody else's by now.
        worker.on('lockRenewalFailed', (jobIds: string[]) => {
          for (const id of jobIds) worker.cancelJob(id, 'its lock was lost');
        });
        void takeWork(worker);
        return worker;
      };
      /** One whose first connection broke would go on failing by it without ever waiting, and nothing else in the process would run. */
      const takeWork = async (opened: Worker) => {
        try {
          await opened.waitUntilReady();
          if (opened === worker && !isClosing && !rested) await opened.run();
        } catch (error) {
          if (opened !== worker || isClosing || rested) return;
          outage.met(error as Error, 'a worker could not begin; it is opened again', { queue: name });
          await opened.close(true).catch(() => undefined);
          await sleep(workerOptions.runRetryDelay);
          if (opened === worker && !isClosing && !rested) worker = open();
        }
      };
      let worker = open();
      return {
        takeNone() {
          if (isClosing || rested) return;
          rested = worker.close();
          rested.catch(() => undefined);
        },
        takeAgain() {
          if (isClosing || !rested) return;
          rested = null;
          worker = open();
        },
        close() {
          isClosing = true;
          return rested ?? worker.close();
        },
      };
    },
    look: (name) => lookAt(name).current(),
    async depths(name) {
      const asked = lookAt(name).current();
      const counts = await asked
        .getJobCounts('waiting', 'prioritized', 'active', 'delayed')
        .catch(async (error: unknown) => {
          if (await isStuck(asked)) lookAt(name).openAgain(asked);
          throw error;
        });
      const { waiting = 0, prioritized = 0, active = 0, delayed = 0 } = counts;
      return { waiting: waiting + prioritized, active, delayed };
    },
    ping: server.ping,
    erase: server.erase,
    async close() {
      outage.stopTelling();
      await Promise.allSettled(opened.map((queue) => queue.close()));
      await server.close();
    },
  };
}

/** A queue that is opened anew when it is stuck. */
interface OpenQueue {
  current(): Queue;
  openAgain(stuck: Queue): void;
  close(): Promise<void>;
}

/** One that once found no schema, or whose first connection broke, says so for ever. */
const isStuck = (queue: Queue): Promise<boolean> =>
  queue.waitUntilReady().then(
    () => false,
    () => true,
  );

/**
 * Adding a job under its key, or a schedule, bears repeating: after a connection that broke (ioredis makes one again by itself), and where
 * PostgreSQL ended the statement in a deadlock with somebody who clears the queue.
 */
async function patiently(server: QueueServer, add: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await add();
      return;
    } catch (error) {
      const lost = server.unreachable?.(error);
      if (!lost && !server.isTransient?.(error)) throw error;
      if (attempt === addAttempts) throw lost ?? error;
      await sleep(firstAddRestMs * 2 ** attempt);
    }
  }
}
