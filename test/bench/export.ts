import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DuckDBInstance } from '@duckdb/node-api';
import type { ExportedNight } from '../../src/followers/export/manifest.ts';
import { killExports } from '../export/kill-exports.ts';
import { fileOf, filesIn } from '../export/read-lake.ts';
import { createChance } from '../support/chance.ts';
import { programArgs } from '../support/program.ts';
import { withBook } from './book.ts';
import type { Figure, Measured } from './figure.ts';
import { startUpstream } from './upstream.ts';

const date = '2026-03-01';
const times = 3;
const kills = 20;

/** Measures a night as Parquet files: time, memory, bytes, reproducibility, and the state after a kill. */
export const exportNight: Figure = {
  name: 'export',
  async run({ items, say }) {
    const upstream = await startUpstream({ items, evolve: false });
    const home = mkdtempSync(join(tmpdir(), 'pricebook-lake-'));
    const lake = join(home, 'lake');
    try {
      return await withBook({ upstream, date }, async ({ base, night }) => {
        await night(date);
        const exports: Exported[] = [];
        for (let time = 0; time < times; time++) {
          rmSync(lake, { recursive: true, force: true });
          exports.push(await exportIn(base.databaseUrl, home, lake));
          say(`exported in ${exports.at(-1)!.seconds.toFixed(1)} s`);
        }
        const before = JSON.stringify(filesIn(lake));
        exports.push(await exportIn(base.databaseUrl, home, lake));
        const isSame = JSON.stringify(filesIn(lake)) === before;
        const measured = [...figuresOf(exports, isSame), await bytesOfPrices(fileOf(lake, 'prices', 'uk', date))];
        say('killing exports');
        const { broken, killed } = await killExports({
          start: () => startCommand(base.databaseUrl, home, lake),
          lake,
          home,
          times: kills,
          random: createChance(1).number,
          spreadMs: exports[0]!.seconds * 1_000,
        });
        measured.push({
          what: `manifests without their files, ${kills} exports killed at random`,
          value: broken.length,
          unit: '',
          target: { is: 'at most', aim: 0, floor: 0 },
          from: `${killed} were at work when they were killed, the others had ended`,
        });
        return measured;
      });
    } finally {
      await upstream.close();
      rmSync(home, { recursive: true, force: true });
    }
  },
};

interface Exported {
  readonly seconds: number;
  readonly megabytes: number;
  readonly exported: ExportedNight;
}

async function exportIn(url: string, home: string, out: string): Promise<Exported> {
  // Compiled, as the program is: the compiler's own memory is not counted.
  const [entry, ...others] = (await programArgs('test/bench/export-process.ts')).toReversed();
  const args = ['--url', url, '--home', home, '--out', out, '--date', date];
  const child = fork(entry!, args, { execArgv: others.toReversed() });
  const exited = once(child, 'exit').then(() => null);
  const told = await Promise.race([once(child, 'message').then(([message]) => message as Exported), exited]);
  await exited;
  if (told === null) throw new Error('the exporting process ended without a word');
  return told;
}

function startCommand(url: string, home: string, out: string) {
  const program = fileURLToPath(new URL('../../src/cli/pricebook.js', import.meta.url));
  const args = ['export', '--region', 'uk', '--from', date, '--to', date, '--out', out];
  const child = spawn(process.execPath, [program, ...args], {
    cwd: home,
    env: { PATH: process.env['PATH'] ?? '', DATABASE_URL: url, PRICEBOOK_HOME: home },
    stdio: 'ignore',
  });
  return { process: child, ended: once(child, 'close') };
}

function figuresOf(exports: readonly Exported[], isSame: boolean): Measured[] {
  const first = exports.slice(0, times).sort((a, b) => a.seconds - b.seconds);
  const { seconds, exported } = first[times >> 1]!;
  const files = exported.files.map(({ dataset, rows, bytes }) => `${dataset} ${rows} rows, ${bytes} bytes`).join('; ');
  return [
    {
      what: 'a night exported as Parquet',
      value: seconds,
      unit: 's',
      target: { is: 'at most', aim: 5, floor: 5 },
      from:
        `median of ${times}, from ${first[0]!.seconds.toFixed(1)} to ${first.at(-1)!.seconds.toFixed(1)} s; ` +
        `${files}`,
    },
    {
      what: 'the same: peak memory',
      value: Math.max(...exports.map(({ megabytes }) => megabytes)),
      unit: 'MB',
      target: { is: 'at most', aim: 400, floor: 400 },
      from: 'resident, of the exporting process; PostgreSQL is another',
    },
    {
      what: 'the same again: files of other bytes',
      value: isSame ? 0 : 1,
      unit: '',
      target: { is: 'at most', aim: 0, floor: 0 },
      from: 'exported by two processes',
    },
  ];
}

async function bytesOfPrices(path: string): Promise<Measured> {
  const instance = await DuckDBInstance.create(':memory:');
  const duckdb = await instance.connect();
  const reader = await duckdb.runAndReadAll(`
    select sum(total_compressed_size)::double / max(rows),
      string_agg(path_in_schema || ' ' || total_compressed_size, ', ')
    from (
      select path_in_schema, sum(total_compressed_size) as total_compressed_size, sum(num_values) as rows
      from parquet_metadata('${path}')
      where path_in_schema in ('price', 'unit_price', 'loyalty_price')
      group by path_in_schema order by path_in_schema
    )`);
  const [value, from] = reader.getRows()[0]! as [number, string];
  duckdb.closeSync();
  instance.closeSync();
  return {
    what: 'the same: bytes a product of the price columns',
    value,
    unit: 'B',
    target: { is: 'at most', aim: 6, floor: 6 },
    from,
  };
}
