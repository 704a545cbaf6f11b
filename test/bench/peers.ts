import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { silentLog } from '../../src/db/db-log.ts';
import { openEmbedded, removeEmbedded } from '../../src/db/embedded/open-embedded.ts';
import { databaseUrl } from '../support/database-url.ts';
import type { Bench, Figure, Measured } from './figure.ts';
import { type Candidate, dlt, plainScript, pricebook, thisPricebook } from './peers/candidates.ts';
import { measureNight, type NightTaken } from './peers/measure-night.ts';
import { findPython } from './peers/python.ts';
import { postmasterOf } from './peers/server-account.ts';
import { startUpstream } from './upstream.ts';

const mostItems = 50_000;
const dates = ['2026-06-01', '2026-06-02', '2026-06-03'];

/** Nights of one region in Pricebook and in alternatives, with the same pages and the same server. */
export const peers: Figure = {
  name: 'peers',
  async run(bench) {
    if (process.platform !== 'linux') return skip(bench, 'processor time is read from /proc, which only Linux has');
    const found = findPython();
    if ('missing' in found) return skip(bench, found.missing);
    const candidates = [
      thisPricebook,
      dlt,
      plainScript,
      ...(bench.before === undefined ? [] : [pricebook('pricebook before', bench.before)]),
    ];
    const taken = await measure(bench, candidates, found.python);
    bench.say(tableOf(taken));
    return figuresOf(taken);
  },
};

function skip({ say }: Bench, why: string): [] {
  say(`peers: skipped, ${why}`);
  return [];
}

type Taken = ReadonlyMap<string, readonly NightTaken[]>;

async function measure({ items, say }: Bench, candidates: readonly Candidate[], python: string): Promise<Taken> {
  const upstream = await startUpstream({ items: Math.min(items, mostItems) });
  try {
    return await withServer(async (server) => {
      const taken = new Map<string, NightTaken[]>(candidates.map(({ name }) => [name, []]));
      for (const date of dates) {
        await upstream.change({ date });
        for (const [at, candidate] of candidates.entries()) {
          const place = await placeFor(server, `peer_${at}`);
          const night = await measureNight({ ...server, upstream }, candidate, {
            ...place,
            date,
            python,
            upstream: upstream.url,
          });
          taken.get(candidate.name)!.push(night);
          say(`${date} ${candidate.name}: ${inWords(night)}`);
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

/** A server as the program brings it, fsync on, that counts statements. */
async function withServer<Result>(use: (server: Server) => Promise<Result>): Promise<Result> {
  const home = mkdtempSync(join(tmpdir(), 'pricebook-bench-'));
  // If root runs this, the server runs as another user who needs access.
  chmodSync(home, 0o755);
  const settings = { shared_preload_libraries: 'pg_stat_statements' };
  const server = await openEmbedded({ home, log: silentLog, settings });
  const admin = new pg.Client({ connectionString: server.url });
  try {
    await admin.connect();
    await admin.query('create extension pg_stat_statements');
    return await use({ url: server.url, admin, postmaster: postmasterOf(join(server.folder, 'data')), home });
  } finally {
    await admin.end();
    await server.close();
    await removeEmbedded(home);
    rmSync(home, { recursive: true, force: true });
  }
}

/** A database and a folder, made for the first night. */
async function placeFor({ url, admin, home }: Server, name: string) {
  const folder = join(home, name);
  if (!existsSync(folder)) {
    mkdirSync(folder);
    await admin.query(`create database ${name}`);
  }
  return { databaseUrl: databaseUrl(url, name), home: folder };
}

function inWords(night: NightTaken): string {
  const { processSeconds, serverSeconds, requests, wrong } = night;
  const parts = `${processSeconds.toFixed(1)} + ${serverSeconds.toFixed(1)} in PostgreSQL`;
  const cpu = `${cpuOf(night).toFixed(1)} s of CPU (${parts})`;
  return `${cpu} for ${requests} requests; ${wrong} products differ from the truth`;
}

/** Values of the first night, and means of the later ones. */
function tableOf(taken: Taken): string {
  const head = [
    ...['candidate', 'CPU, first night', 'CPU, later', 'seconds, first', 'later', 'memory MB'],
    ...[`MB in PostgreSQL, night 1`, `night ${dates.length}`, 'MB of WAL, first', 'later'],
    ...['statements per request, first', 'later', 'wrong products'],
  ];
  const rows = [...taken].map(([name, nights]) => {
    const [first, last, later] = [nights[0]!, nights.at(-1)!, nights.slice(1)];
    return [
      name,
      ...[cpuOf(first).toFixed(1), mean(later, cpuOf).toFixed(1)],
      ...[first.wallSeconds.toFixed(1), mean(later, (night) => night.wallSeconds).toFixed(1)],
      megabytes(Math.max(...nights.map((night) => night.peakBytes))),
      ...[megabytes(first.databaseBytes), megabytes(last.databaseBytes)],
      ...[megabytes(first.walBytes), megabytes(mean(later, (night) => night.walBytes))],
      ...[statementsOf(first).toFixed(2), mean(later, statementsOf).toFixed(2)],
      String(nights.reduce((sum, night) => sum + night.wrong, 0)),
    ];
  });
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function figuresOf(taken: Taken): Measured[] {
  const [ours, besideDlt, besideScript] = [thisPricebook, dlt, plainScript].map(({ name }) => taken.get(name)!);
  const [firstOurs, firstDlt, firstScript] = [ours![0]!, besideDlt![0]!, besideScript![0]!];
  const [laterOurs, laterDlt] = [ours!.slice(1), besideDlt!.slice(1)];
  const ratio = (what: string, a: number, b: number, aim: number, floor: number, unit: string): Measured => ({
    what,
    value: a / b,
    unit: '',
    target: { is: 'at most', aim, floor },
    from: `${a.toFixed(1)} / ${b.toFixed(1)} ${unit}`,
  });
  const inMegabytes = (bytes: number) => bytes / 1e6;
  const wrong = ours!.reduce((sum, night) => sum + night.wrong, 0);
  return [
    ratio('CPU of a first night / dlt scd2', cpuOf(firstOurs), cpuOf(firstDlt), 0.7, 1, 's, process + PostgreSQL'),
    ratio('CPU of a later night / dlt scd2', mean(laterOurs, cpuOf), mean(laterDlt, cpuOf), 0.5, 0.8, 's, likewise'),
    ratio(
      `bytes in PostgreSQL after ${dates.length} nights / dlt scd2`,
      inMegabytes(ours!.at(-1)!.databaseBytes),
      inMegabytes(besideDlt!.at(-1)!.databaseBytes),
      0.9,
      1.2,
      'MB',
    ),
    ratio(
      'WAL of a first night / plain script',
      inMegabytes(firstOurs.walBytes),
      inMegabytes(firstScript.walBytes),
      1.5,
      2,
      'MB',
    ),
    {
      what: 'SQL statements per request, later night',
      value: mean(laterOurs, statementsOf),
      unit: '',
      target: { is: 'at most', aim: 0.5, floor: 1 },
      from: 'as pg_stat_statements counts them',
    },
    {
      what: 'CPU of the process per request, later night',
      value: mean(laterOurs, (night) => (night.processSeconds * 1_000) / night.requests),
      unit: 'ms',
      target: { is: 'at most', aim: 1.2, floor: 1.8 },
      from: 'start and derivations included',
    },
    {
      what: "products that differ from the simulator's truth",
      value: wrong,
      unit: '',
      target: { is: 'at most', aim: 0, floor: 0 },
      from: `${dates.length} nights`,
    },
  ];
}

function cpuOf({ processSeconds, serverSeconds }: NightTaken): number {
  return processSeconds + serverSeconds;
}

function statementsOf({ statements, requests }: NightTaken): number {
  return statements / requests;
}

function mean(nights: readonly NightTaken[], of: (night: NightTaken) => number): number {
  return nights.reduce((sum, night) => sum + of(night), 0) / nights.length;
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}
