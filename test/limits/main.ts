import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabase } from '../../src/db/client.ts';
import { silentLog } from '../../src/db/db-log.ts';
import { openEmbedded, removeEmbedded } from '../../src/db/embedded/open-embedded.ts';
import { migrate } from '../../src/db/migrate.ts';
import { withGround } from '../chaos/ground.ts';
import { databaseUrl } from '../support/database-url.ts';
import { flag, programOptions, wholeNumber } from '../support/program-options.ts';
import { playProcessSchedule } from './process-schedule.ts';
import { type PlayedSchedule, playDatabaseClock, playSpendSchedule } from './spend-schedule.ts';

/**
 * `npm run spend -- --schedules 1000 --seed 1`: random processes, kills and clocks against limits in every window, on
 * played time. With `--processes` they are commands that are killed, and the simulator enforces the limits over HTTP:
 * 75 s a schedule.
 */
const values = programOptions('spend', {
  schedules: wholeNumber(100),
  seed: wholeNumber(1),
  parallel: wholeNumber(2),
  processes: flag,
});
const waiting = Array.from({ length: values.schedules }, (_, index) => values.seed + index);
const startedAt = performance.now();
if (values.processes) await playProcesses();
else await playOnPlayedTime();

async function playProcesses(): Promise<void> {
  await withGround(async (ground) => {
    let arrived = 0;
    let kills = 0;
    let broken = 0;
    for (const seed of waiting) {
      const played = await playProcessSchedule(ground, seed);
      arrived += played.arrived;
      kills += played.kills;
      broken += played.broken.length;
      process.stdout.write(`seed ${seed}: ${played.limits}: ${played.arrived} requests, ${played.kills} killed\n`);
      for (const line of played.broken) process.stdout.write(`  BROKEN: ${line}\n`);
    }
    tell(`${waiting.length} schedules: ${arrived} requests arrived, ${kills} processes killed`, broken);
  });
}

async function playOnPlayedTime(): Promise<void> {
  const played: PlayedSchedule[] = [];
  const home = mkdtempSync(join(tmpdir(), 'pricebook-spend-'));
  // When root runs it the server runs as another user, who must get in.
  chmodSync(home, 0o755);
  const server = await openEmbedded({ home, log: silentLog, settings: { fsync: 'off' } });
  try {
    const databases = Array.from({ length: values.parallel }, (_, i) => `spend_${i}`);
    await Promise.all(databases.map((name) => playInDatabase(server.url, name, played)));
  } finally {
    await server.close();
    await removeEmbedded(home);
    rmSync(home, { recursive: true, force: true });
  }
  for (const { seed, limits, broken } of played.filter((schedule) => schedule.broken.length > 0)) {
    process.stdout.write([`seed ${seed}: ${limits}`, ...broken.map((line) => `  ${line}`), ''].join('\n'));
  }
  const sum = (count: (schedule: PlayedSchedule) => number) => played.reduce((all, one) => all + count(one), 0);
  tell(
    `${played.length} schedules: ${sum(({ arrived }) => arrived)} requests arrived, ${sum(({ kills }) => kills)} processes killed, ${sum(({ statements }) => statements)} statements`,
    sum(({ broken }) => broken.length),
  );
}

function tell(played: string, broken: number): void {
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0);
  process.stdout.write(`${played}\nrequests above any limit, as the simulator counts: ${broken}\n${seconds} s\n`);
  process.exitCode = broken === 0 ? 0 : 1;
}

/** Each has a database of its own: a clock is played for one schedule at a time. */
async function playInDatabase(url: string, name: string, played: PlayedSchedule[]): Promise<void> {
  const admin = createDatabase({ url, applicationName: 'spend', max: 1 });
  await admin.query(`create database ${name}`);
  await admin.end();
  const db = createDatabase({ url: databaseUrl(url, name), applicationName: 'spend', max: 4 });
  try {
    await migrate(db);
    await playDatabaseClock(db);
    for (let seed = waiting.shift(); seed !== undefined; seed = waiting.shift()) {
      played.push(await playSpendSchedule(db, seed));
      if (played.length % 50 === 0) process.stderr.write(`${played.length} schedules\n`);
    }
  } finally {
    await db.end();
  }
}
