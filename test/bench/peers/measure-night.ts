import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import type { Upstream } from '../upstream.ts';
import type { Candidate, NightToLoad } from './candidates.ts';
import { bytesOf, cpuSecondsOf, walMbOf } from './server-account.ts';

/** Resources that a candidate used for a night. */
export interface NightTaken {
  /** Processor time of the candidate's process and its children. */
  readonly processSeconds: number;
  readonly serverSeconds: number;
  /** From start to end. */
  readonly wallSeconds: number;
  /** Peak of the largest process of the candidate. */
  readonly memoryMb: number;
  /** In PostgreSQL, after the night. */
  readonly databaseMb: number;
  /** Written ahead during the night. */
  readonly walMb: number;
  readonly requests: number;
  /** Products whose presence, price or availability differs from the simulator's truth. */
  readonly wrong: number;
}

export interface Measurement {
  readonly admin: pg.Client;
  readonly postmaster: number;
  readonly upstream: Upstream;
}

/** Loads a night in its own process and compares it with the truth. Throws if the candidate fails. */
export async function measureNight(
  { admin, postmaster, upstream }: Measurement,
  candidate: Candidate,
  night: NightToLoad,
): Promise<NightTaken> {
  await admin.query('checkpoint');
  const before = cpuSecondsOf(postmaster);
  const walBefore = await walMbOf(admin);
  const { cpuSeconds: processSeconds, wallSeconds, memoryMb } = await runMeasured(candidate, night);
  const database = new URL(night.databaseUrl).pathname.slice(1);
  return {
    ...{ processSeconds, wallSeconds, memoryMb },
    serverSeconds: cpuSecondsOf(postmaster) - before,
    databaseMb: (await bytesOf(admin, database)) / 1e6,
    walMb: (await walMbOf(admin)) - walBefore,
    requests: (await upstream.log()).total,
    wrong: (await compareWithTruth(candidate, night, upstream)).wrong,
  };
}

interface Ran extends Pick<NightTaken, 'wallSeconds' | 'memoryMb'> {
  readonly exitCode: number;
  readonly cpuSeconds: number;
}

/** Python waits for the process: unlike Node it can read the exact processor time and memory of one child. */
async function runMeasured(candidate: Candidate, night: NightToLoad): Promise<Ran> {
  const report = join(night.home, 'taken.json');
  const child = spawn(night.python, [runMeasuredFile, report, ...candidate.command(night)], {
    ...environmentOf(candidate, night),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  await once(child, 'close');
  const ran = JSON.parse(readFileSync(report, 'utf8')) as Ran;
  if (ran.exitCode === 0) return ran;
  throw new Error(`${candidate.name} ended with ${ran.exitCode} on ${night.date}\n${output.slice(-2_000)}`);
}

export const environmentOf = (candidate: Candidate, night: NightToLoad) => ({
  cwd: night.home,
  env: { PATH: process.env['PATH'], HOME: night.home, ...candidate.environment(night) },
});

const runMeasuredFile = fileURLToPath(new URL('run-measured.py', import.meta.url));

/** Numbers of products whose presence, price or availability differs from the truth, and of those it calls gone. */
export async function compareWithTruth(
  candidate: Candidate,
  { databaseUrl, date }: NightToLoad,
  upstream: Upstream,
): Promise<{ readonly wrong: number; readonly gone: number }> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<Listed>(candidate.listedOn, [date]);
    const truth = await upstream.truth('uk', date);
    const expected = new Map(
      truth.map(({ productId, priceMinor, available }) => [productId, `${priceMinor} ${available}`]),
    );
    const wrong = rows.filter(({ id, price, is_available }) => expected.get(String(id)) !== `${price} ${is_available}`);
    const found = new Set(rows.map(({ id }) => String(id)));
    const gone = truth.filter(({ productId }) => !found.has(productId)).length;
    return { wrong: wrong.length + gone, gone };
  } finally {
    await client.end();
  }
}

interface Listed {
  readonly id: string;
  readonly price: number | null;
  readonly is_available: boolean;
}
