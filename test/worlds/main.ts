import { openDatabases, withGround } from '../chaos/ground.ts';
import { oneOf, programOptions, wholeNumber } from '../support/program-options.ts';
import { startRedis } from '../support/redis-server.ts';
import { type Met, meetings, playMeeting } from './meeting.ts';

/**
 * `npm run worlds [-- --times N --seed S --queue postgres|redis --parallel N]`: parties of different upstreams, clocks
 * and worlds crawl into one database, at times that chance decides; every published row is held against the upstream
 * its run names.
 */
const values = programOptions('worlds', {
  times: wholeNumber(50),
  seed: wholeNumber(1),
  queue: oneOf(['postgres', 'redis'], 'postgres'),
  parallel: wholeNumber(2),
});
const seeds = Array.from({ length: values.times }, (_, index) => values.seed + index);
const met: Met[] = [];
const failed: string[] = [];

await withGround(async (ground) => {
  await Promise.all(
    Array.from({ length: values.parallel }, async () => {
      const redis = values.queue === 'redis' ? await startRedis() : null;
      try {
        for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) {
          const { url, db, drop } = await openDatabases(ground);
          try {
            await redis?.flush();
            const queue = redis ? { REDIS_URL: redis.url } : {};
            const result = await playMeeting({ databaseUrl: url, db, queue }, seed);
            met.push(result);
            say(result);
          } catch (error) {
            failed.push(`seed ${seed}: ${(error as Error).stack}`);
          } finally {
            await drop();
          }
        }
      } finally {
        await redis?.stop();
      }
    }),
  );
});

for (const meeting of meetings) {
  const of = met.filter((each) => each.meeting === meeting);
  const sum = (count: (each: Met) => number) => of.reduce((total, each) => total + count(each), 0);
  process.stdout.write(
    `${values.queue}, ${meeting}: met ${of.length} times, ${sum(({ nights }) => nights)} nights published, ` +
      `${sum(({ wrongRows }) => wrongRows.length)} wrong rows; ${sum(({ refused }) => refused)} times refused, ` +
      `${sum(({ leftAlone }) => leftAlone)} runs left alone, ${sum(({ stopped }) => stopped)} times stopped\n`,
  );
}
for (const line of failed) process.stdout.write(`${line}\n`);
process.exitCode = failed.length > 0 || met.some(({ wrongRows }) => wrongRows.length > 0) ? 1 : 0;

function say({ seed, meeting, nights, wrongRows }: Met): void {
  process.stderr.write(`seed ${seed}: ${meeting}, ${nights} nights, ${wrongRows.length} wrong rows\n`);
  for (const row of wrongRows.slice(0, 3)) process.stderr.write(`    ${row}\n`);
}
