import { randomUUID } from 'node:crypto';
import { renameSync, rmSync } from 'node:fs';
import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { EmbeddedServerFailed, PricebookError } from '../../base/errors.ts';
import { limitLines } from '../../base/limited-lines.ts';
import { surviveBreaking } from '../broken-connection.ts';
import { isWorthWaiting } from '../connection-error.ts';
import type { DbLog } from '../db-log.ts';
import { withFolderLock } from './folder-lock.ts';
import { findPlaceFolder, type Place, preparePlace } from './place.ts';
import { ensureServer, runningPort, stopServer } from './postmaster.ts';

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

/** A connection that is held while a command uses the server: the kernel closes it however the command ends. */
interface Use {
  readonly client: pg.Client;
  readonly socket: Socket;
  readonly port: number;
}

const database = 'pricebook';
/** Application names by which commands count each other. */
const [using, leaving] = ['pricebook uses', 'pricebook leaves'];
/** For a server that is restarting or stopping at that moment. */
const connectAttempts = 100;

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
  let restarting: Promise<void> | null = null;
  watch();
  log.info(
    { folder: place.folder, tookMs: Math.round(performance.now() - startedAt) },
    'the embedded PostgreSQL is ready',
  );
  return {
    url: urlOf(place, use.port, database),
    folder: place.folder,
    async close() {
      closing.abort();
      await restarting;
      await endUse(place, use);
    },
  };

  function watch(): void {
    const servesSince = performance.now();
    use.socket.unref();
    const onClose = () => {
      // The first restart is immediate: a person may have stopped it by mistake.
      if (!signal.aborted) restarting = restart(performance.now() - servesSince > restMs ? 0 : restMs);
    };
    if (use.socket.closed) onClose();
    else use.socket.once('close', onClose);
  }

  async function restart(pauseMs: number): Promise<void> {
    const { port } = use;
    for (let waitMs = pauseMs; !signal.aborted; waitMs = restMs) {
      await sleep(waitMs, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        use = await beginUse(place, settings);
        if (use.port !== port) log.warn({ was: port, is: use.port }, 'the embedded PostgreSQL moved to another port');
        return watch();
      } catch (error) {
        warn({ reason: (error as Error).message }, 'the embedded PostgreSQL does not start');
      }
    }
  }
}

/**
 * Stops the embedded server of a home and deletes its data. Does nothing when there is none.
 * Throws `EmbeddedServerFailed` while other commands use it.
 */
export async function removeEmbedded(home: string): Promise<void> {
  if (!findPlaceFolder(home)) return;
  const place = preparePlace(home);
  await withFolderLock(place.folder, async () => {
    const port = await runningPort(place);
    if (port !== null) {
      const { client } = await connect(place, port);
      let others = await otherUses(client);
      // The connection of a command that was killed a moment ago may not be gone yet.
      for (let look = 1; others > 0 && look < 5; look++) {
        await sleep(100);
        others = await otherUses(client);
      }
      await client.end();
      if (others > 0) {
        throw new EmbeddedServerFailed(`${others === 1 ? 'another command uses' : `${others} other commands use`} it`, {
          advice: 'End them first, then try again; nothing was changed.',
        });
      }
      await stopServer(place);
    }
    // Renamed first: a command that starts meanwhile finds all of it or nothing.
    const doomed = `${place.folder}.${randomUUID()}`;
    renameSync(place.folder, doomed);
    rmSync(doomed, { recursive: true, force: true });
  });
}

function beginUse(place: Place, settings: Record<string, string>): Promise<Use> {
  return withFolderLock(place.folder, async () => {
    let isStarted = false;
    try {
      for (let attempt = 1; ; attempt++) {
        const server = await ensureServer(place, settings);
        isStarted ||= server.isStarted;
        try {
          const use = await connect(place, server.port);
          const { rowCount } = await use.client.query('select from pg_database where datname = $1', [database]);
          if (!rowCount) await use.client.query(`create database ${database}`);
          return use;
        } catch (error) {
          if (attempt === connectAttempts || !isWorthWaiting(error)) throw error;
          await sleep(100);
        }
      }
    } catch (cause) {
      if (isStarted) await stopServer(place);
      if (cause instanceof PricebookError) throw cause;
      throw new EmbeddedServerFailed(`its database cannot be opened (${(cause as Error).message})`, {
        advice:
          `See ${place.folder}/postgres.log; \`pricebook reset\` starts over; ` +
          'DATABASE_URL uses a server of your own.',
        cause,
      });
    }
  });
}

function endUse(place: Place, { client, socket }: Use): Promise<void> {
  return withFolderLock(place.folder, async () => {
    socket.ref();
    try {
      // Its process may be listed for a moment longer than the connection lives.
      await client.query(`set application_name = '${leaving}'`);
      const others = await otherUses(client);
      await client.end();
      if (others === 0) await stopServer(place);
    } catch {
      // The server died at this moment: the commands that use it start it again.
    }
  });
}

async function otherUses(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ uses: number }>(
    'select count(*)::int as uses from pg_stat_activity where application_name = $1 and pid <> pg_backend_pid()',
    [using],
  );
  return rows[0]!.uses;
}

async function connect(place: Place, port: number): Promise<Use> {
  const socket = new Socket();
  const client = new pg.Client({
    connectionString: urlOf(place, port, 'postgres'),
    application_name: using,
    keepAlive: true,
    stream: () => socket,
  });
  surviveBreaking(client);
  await client.connect();
  return { client, socket, port };
}

function urlOf({ password }: Place, port: number, name: string): string {
  return `postgres://pricebook:${password}@127.0.0.1:${port}/${name}?sslmode=disable`;
}
