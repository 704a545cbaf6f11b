import * as fs from 'node:fs';
import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { surviveBreaking } from '../broken-connection.ts';
import { codeOf } from '../connection-error.ts';
import { dataOf, type Place, pidFileOf, readPidFile, startLimitMs, urlOf } from './place.ts';

/**
 * A connection that is held while a command uses the server. It has a shared advisory lock, by which the last command
 * knows that it is the last. The kernel closes it however the command ends.
 */
export interface Use {
  readonly client: pg.Client;
  readonly socket: Socket;
  readonly port: number;
}

/** A process that has not answered for this long is no server. */
const silentLimitMs = 5_000;

/** Joins the running server as soon as it is ready; null: none runs. */
export async function joinServer(place: Place): Promise<Use | null> {
  const deadline = performance.now() + startLimitMs;
  for (let heardAt = performance.now(); ; await sleep(50)) {
    const listed = readPidFile(place);
    if (!listed) return null;
    const use = useOf(place, listed.port);
    try {
      await use.client.connect();
      heardAt = performance.now();
      // Waits here while another command stops the server.
      const { rowCount } = await use.client.query(
        `select pg_advisory_lock_shared(1) where current_setting('data_directory') = $1`,
        [dataOf(place).replaceAll('\\', '/')],
      );
      if (rowCount) return use;
      heardAt = Number.NEGATIVE_INFINITY;
    } catch (error) {
      if (codeOf(error) === '28P01' || performance.now() > deadline) throw error;
      // An SQLSTATE: the server starts or stops.
      if (/^\d/.test(codeOf(error))) heardAt = performance.now();
    }
    await use.client.end().catch(() => undefined);
    if (performance.now() - heardAt < silentLimitMs) continue;
    // A process with a reused number, which would keep PostgreSQL from starting.
    if (readPidFile(place)?.text === listed.text) fs.rmSync(pidFileOf(place), { force: true });
    return null;
  }
}

/**
 * Ends a use, and returns whether it was the last one. Then it holds the lock alone: new commands wait until its
 * connection ends.
 */
export async function isLastUse({ client }: Use): Promise<boolean> {
  await client.query('select pg_advisory_unlock_shared(1)');
  return (await client.query('select where pg_try_advisory_lock(1)')).rowCount === 1;
}

function useOf(place: Place, port: number): Use {
  const socket = new Socket();
  const client = new pg.Client({
    connectionString: urlOf(place, port, 'postgres'),
    application_name: 'pricebook uses',
    connectionTimeoutMillis: 10_000,
    statement_timeout: startLimitMs,
    keepAlive: true,
    stream: () => socket,
  });
  surviveBreaking(client);
  return { client, socket, port };
}
