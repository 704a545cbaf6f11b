import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createDatabase } from '../../src/db/client.ts';
import { silentLog } from '../../src/db/db-log.ts';
import { openEmbedded } from '../../src/db/embedded/open-embedded.ts';
import { removeEmbedded } from '../../src/db/embedded/remove-embedded.ts';
import { migrate } from '../../src/db/migrate.ts';
import { databaseUrl } from '../support/database-url.ts';
import { type PlayedSchedule, playDatabaseClock, playSpendSchedule } from './spend-schedule.ts';

/** `npm run spend -- --schedules 1000 --seed 1`: random processes, kills and clocks against limits in every window. */
const { values } = parseArgs({
  options: {
    schedules: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    parallel: { type: 'string', default: '2' },
  },
});
const first = Number(values.seed);
const waiting = Array.from({ length: Number(values.schedules) }, (_, index) => first + index);
const played: PlayedSchedule[] = [];
const startedAt = performance.now();

const home = mkdtempSync(join(tmpdir(), 'pricebook-spend-'));
// When root runs it the server runs as another user, who must get in.
chmodSync(home, 0o755);
const server = await openEmbedded({ home, log: silentLog, settings: { fsync: 'off' } });
try {
  await Promise.all(Array.from({ length: Number(values.parallel) }, (_, i) => playInDatabase(`spend_${i}`)));
} finally {
  await server.close();
  await removeEmbedded(home);
  rmSync(home, { recursive: true, force: true });
}
const broken = played.filter((schedule) => schedule.broken.length > 0);
const sum = (count: (schedule: PlayedSchedule) => number) => played.reduce((all, schedule) => all + count(schedule), 0);
process.stdout.write(
  [
    ...broken.flatMap(({ seed, limits, broken: what }) => [
      `seed ${seed}: ${limits}`,
      ...what.map((line) => `  ${line}`),
    ]),
    `${played.length} schedules: ${sum(({ arrived }) => arrived)} requests arrived, ${sum(({ kills }) => kills)} processes killed, ${sum(({ statements }) => statements)} statements`,
    `requests above any limit, as the simulator counts: ${sum(({ broken: what }) => what.length)}`,
    `${((performance.now() - startedAt) / 1_000).toFixed(0)} s`,
    '',
  ].join('\n'),
);
process.exitCode = broken.length === 0 ? 0 : 1;

/** Each has a database of its own: a clock is played for one schedule at a time. */
async function playInDatabase(name: string): Promise<void> {
  const admin = createDatabase({ url: server.url, applicationName: 'spend', max: 1 });
  await admin.query(`create database ${name}`);
  await admin.end();
  const db = createDatabase({ url: databaseUrl(server.url, name), applicationName: 'spend', max: 4 });
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
