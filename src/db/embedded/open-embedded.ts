import pg from 'pg';
import { EmbeddedServerFailed } from '../../errors.ts';
import { surviveBreaking } from '../broken-connection.ts';
import type { DbLog } from '../db-log.ts';
import { takeLease } from './lease.ts';
import { preparePlace } from './place.ts';
import { revokePublicRights } from './public-rights.ts';

/** A running embedded server and the database in it. */
export interface EmbeddedServer {
  /** `postgres://pricebook:…@127.0.0.1:…/pricebook`. Holds the password: print it only where it is asked for. */
  readonly url: string;
  /** Where data and logs are. */
  readonly folder: string;
  /** Gives the server back; the last command to do so stops it. */
  close(): Promise<void>;
}

export interface EmbeddedOptions {
  /** PRICEBOOK_HOME; made when missing. */
  readonly home: string;
  readonly log: DbLog;
  /** Server settings beside ours, for a server that this call starts. */
  readonly settings?: Record<string, string>;
}

const database = 'pricebook';

/**
 * Starts the PostgreSQL server of a home, or joins the one that runs, and keeps it running until `close`, or until this
 * process ends in whatever way. Throws `EmbeddedServerFailed`.
 */
export async function openEmbedded({ home, log, settings }: EmbeddedOptions): Promise<EmbeddedServer> {
  const place = preparePlace(home);
  const startedAt = performance.now();
  const lease = await takeLease(place, log, settings);
  const urlOf = (name: string) =>
    `postgres://pricebook:${place.password}@127.0.0.1:${lease.port}/${name}?sslmode=disable`;
  try {
    await makeDatabase(urlOf);
  } catch (cause) {
    await lease.release();
    throw new EmbeddedServerFailed(`its database cannot be opened (${(cause as Error).message})`, {
      advice: `See ${place.folder}/postgres.log; \`pricebook reset\` starts over; DATABASE_URL uses a server of your own.`,
      cause,
    });
  }
  log.info(
    { folder: place.folder, tookMs: Math.round(performance.now() - startedAt) },
    'the embedded PostgreSQL is ready',
  );
  return { url: urlOf(database), folder: place.folder, close: () => lease.release() };
}

async function makeDatabase(urlOf: (name: string) => string): Promise<void> {
  if (await isReady(urlOf(database))) return;
  const client = new pg.Client({ connectionString: urlOf('postgres') });
  surviveBreaking(client);
  await client.connect();
  try {
    await client.query(`create database ${database}`);
  } catch (error) {
    // 42P04, 23505: another command made it at the same moment
    const { code } = error as { code?: string };
    if (code !== '42P04' && code !== '23505') throw error;
  } finally {
    await client.end();
  }
  await isReady(urlOf(database));
}

/** False when there is no such database yet. */
async function isReady(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  surviveBreaking(client);
  try {
    await client.connect();
    await revokePublicRights(client);
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === '3D000') return false;
    throw error;
  } finally {
    await client.end();
  }
}
