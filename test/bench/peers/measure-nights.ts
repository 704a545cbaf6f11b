import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { silentLog } from '../../../src/db/db-log.ts';
import { openEmbedded, removeEmbedded } from '../../../src/db/embedded/open-embedded.ts';
import { databaseUrl } from '../../support/database-url.ts';
import type { Bench } from '../figure.ts';
import { startUpstream } from '../upstream.ts';
import type { Candidate } from './candidates.ts';
import { measureNight, type NightTaken } from './measure-night.ts';
import { postmasterOf } from './server-account.ts';

const dates = ['2026-06-01', '2026-06-02', '2026-06-03', '2026-06-04'];

/** Nights of a comparison. */
export const nightsMeasured = 3;

/** PostgreSQL's own defaults of the settings that the embedded server changes. */
export const defaultSettings = {
  ...{ shared_buffers: '128MB', effective_cache_size: '4GB', work_mem: '4MB', maintenance_work_mem: '64MB' },
  ...{ temp_buffers: '8MB', random_page_cost: '4', jit: 'on', wal_level: 'replica', wal_skip_threshold: '2MB' },
  ...{ min_wal_size: '80MB', max_wal_size: '1GB', checkpoint_timeout: '5min', autovacuum_naptime: '1min' },
};

/** Nights of each candidate. */
export type NightsTaken = readonly (readonly NightTaken[])[];

interface Candidates {
  /** Number of products, if the bench has more. */
  readonly maxItems: number;
  readonly candidates: readonly Candidate[];
  readonly python: string;
  /** `nightsMeasured`, if it is not given; at most four. */
  readonly nights?: number;
  /** Of the embedded server. */
  readonly settings?: Record<string, string>;
  /** A superuser's URL of another server on this machine, which is measured instead. */
  readonly server?: string | undefined;
}

/** Nights of one region, each loaded by every candidate into a database of its own on the same server. */
export async function measureNights({ items, say }: Bench, measured: Candidates): Promise<NightsTaken> {
  const { maxItems, candidates, python, nights = nightsMeasured, settings = {}, server: url } = measured;
  const listed = Math.min(items, maxItems);
  const upstream = await startUpstream({ items: listed });
  try {
    return await withServer({ settings, url }, async (server) => {
      const taken: NightTaken[][] = candidates.map(() => []);
      for (const date of dates.slice(0, nights)) {
        await upstream.change({ date });
        for (const [at, candidate] of candidates.entries()) {
          const place = await placeFor(server, `peer_${at}`);
          const needs = { ...place, date, python, upstream: upstream.url };
          await upstream.resetLog();
          const night = await measureNight({ ...server, upstream }, candidate, needs);
          if (night.wrong > 0) throw new Error(`${candidate.name}: ${night.wrong} products differ from the truth`);
          taken[at]!.push(night);
          const said = Object.entries(night).map(([name, figure]) => `${name} ${Math.round(figure * 10) / 10}`);
          say(`${date} ${candidate.name}: ${said.join(', ')}`);
        }
      }
      return taken;
    });
  } finally {
    await upstream.close();
  }
}

interface Server {
  readonly url: string;
  readonly admin: pg.Client;
  readonly postmaster: number;
  readonly home: string;
}

export async function withServer<Result>(
  { settings, url }: { settings: Record<string, string>; url: string | undefined },
  use: (server: Server) => Promise<Result>,
): Promise<Result> {
  const home = mkdtempSync(join(tmpdir(), 'pricebook-bench-'));
  // If root runs this, the server runs as another user who needs access.
  chmodSync(home, 0o755);
  const own = url === undefined ? await openEmbedded({ home, log: silentLog, settings }) : null;
  const admin = new pg.Client({ connectionString: own?.url ?? url });
  try {
    await admin.connect();
    const { rows } = await admin.query(`select current_setting('data_directory') as folder`);
    return await use({ url: own?.url ?? url!, admin, postmaster: postmasterOf(rows[0].folder), home });
  } finally {
    await admin.end();
    await own?.close();
    if (own) await removeEmbedded(home);
    rmSync(home, { recursive: true, force: true });
  }
}

/** A database and a folder, made for the first night. */
export async function placeFor({ url, admin, home }: Server, name: string) {
  const folder = join(home, name);
  if (!existsSync(folder)) {
    mkdirSync(folder);
    await admin.query(`drop database if exists ${name}`);
    await admin.query(`create database ${name}`);
  }
  return { databaseUrl: databaseUrl(url, name), home: folder };
}

/** Seconds of CPU of a night, process and PostgreSQL, on average. */
export const cpuOf = (nights: readonly NightTaken[]): number =>
  nights.reduce((sum, { processSeconds, serverSeconds }) => sum + processSeconds + serverSeconds, 0) / nights.length;
