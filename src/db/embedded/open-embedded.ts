import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { renameSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { EmbeddedServerFailed, HomeUnusable, PricebookError } from '../../base/errors.ts';
import { limitLines } from '../../base/limited-lines.ts';
import { codeOf } from '../connection-error.ts';
import type { DbLog } from '../db-log.ts';
import { findPlaceFolder, type Place, preparePlace, urlOf } from './place.ts';
import { makeData, startServer, stopServer } from './server.ts';
import { isLastUse, joinServer, type Use } from './use.ts';

/** A running embedded server and the database in it. */
export interface EmbeddedServer {
  /** `postgres://pricebook:…@127.0.0.1:…/pricebook`. Holds the password: print it only where it is asked for. */
  readonly url: string;
  /** Where data and logs are. */
  readonly folder: string;
  /** Releases the server; the last command to do so stops it. */
  close(): Promise<void>;
}

interface EmbeddedOptions {
  /** PRICEBOOK_HOME; made when missing. */
  readonly home: string;
  readonly log: DbLog;
  /** Server settings beside ours, for a server that this call starts. */
  readonly settings?: Record<string, string>;
}

const database = 'pricebook';
/** Pause before a server that ended again soon is started again. */
const restMs = 2_000;

/**
 * Starts the PostgreSQL server of a home, or joins the running one. It is started again if it dies before `close`. The
 * last command to close stops it; if that one was killed, it stays up until the next command has ended. Throws
 * `EmbeddedServerFailed`.
 */
export async function openEmbedded({ home, log, settings = {} }: EmbeddedOptions): Promise<EmbeddedServer> {
  const place = preparePlace(home);
  const startedAt = performance.now();
  let use = await beginUse(place, settings);
  const closing = new AbortController();
  const { signal } = closing;
  const warn = limitLines((fields, message) => log.warn(fields, message));
  const keeping = keepRunning();
  log.info(
    { folder: place.folder, tookMs: Math.round(performance.now() - startedAt) },
    'the embedded PostgreSQL is ready',
  );
  return {
    url: urlOf(place, use.port, database),
    folder: place.folder,
    async close() {
      closing.abort();
      await keeping;
      await endUse(place, use);
    },
  };

  async function keepRunning(): Promise<void> {
    while (!signal.aborted) {
      const servesSince = performance.now();
      use.socket.unref();
      if (!use.socket.closed) await once(use.socket, 'close', { signal }).catch(() => undefined);
      // The first restart is immediate: a person may have stopped it by mistake.
      if (performance.now() - servesSince < restMs)
        await sleep(restMs, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
      const { port } = use;
      try {
        use = await beginUse(place, settings);
        if (use.port !== port) log.warn({ was: port, is: use.port }, 'the embedded PostgreSQL moved to another port');
      } catch (error) {
        warn({ reason: (error as Error).message }, 'the embedded PostgreSQL does not start');
      }
    }
  }
}

/**
 * Stops the embedded server of a home and deletes its data. Does nothing when there is none.
 * Throws `EmbeddedServerFailed` while another command uses it.
 */
export async function removeEmbedded(home: string): Promise<void> {
  if (!findPlaceFolder(home)) return;
  const place = preparePlace(home);
  const use = await joinServer(place);
  try {
    if (use && !(await isLastUse(use)))
      throw new EmbeddedServerFailed('another command uses it', {
        advice: 'End it first, then try again; nothing was changed.',
      });
    if (use) await stopServer(place);
    // Renamed first: a command that starts meanwhile finds all of it or nothing.
    const doomed = `${place.folder}.${randomUUID()}`;
    renameSync(place.folder, doomed);
    rmSync(doomed, { recursive: true, force: true });
  } finally {
    await use?.client.end();
  }
}

/** Joins the server, and starts it if none runs. PostgreSQL lets one of several commands at once start it. */
async function beginUse(place: Place, settings: Record<string, string>): Promise<Use> {
  let isStarted = false;
  try {
    await makeData(place);
    for (let attempt = 1; ; attempt++) {
      const use = await joinServer(place);
      if (use) {
        await makeDatabase(use.client);
        return use;
      }
      isStarted = await startServer(place, settings, attempt);
    }
  } catch (cause) {
    if (isStarted) await stopServer(place);
    if (cause instanceof PricebookError) throw cause;
    const advice = `See ${place.folder}/postgres.log, start over with \`pricebook reset\`, or set DATABASE_URL.`;
    const failed = new EmbeddedServerFailed((cause as Error).message, { advice, cause });
    throw HomeUnusable.of(place.folder, cause) ?? failed;
  }
}

async function makeDatabase(client: Client): Promise<void> {
  const { rowCount } = await client.query('select from pg_database where datname = $1', [database]);
  if (rowCount) return;
  await client.query(`create database ${database}`).catch((error) => {
    // duplicate_database, unique_violation: another command made it first.
    if (!['42P04', '23505'].includes(codeOf(error))) throw error;
  });
}

async function endUse(place: Place, use: Use): Promise<void> {
  use.socket.ref();
  // If the server dies at this moment, the commands that use it start it again.
  const isLast = await isLastUse(use).catch(() => false);
  if (isLast) await stopServer(place);
  await use.client.end().catch(() => undefined);
}
