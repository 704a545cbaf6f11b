import { flag, oneOf, programOptions, wholeNumber } from '../support/program-options.ts';
import { drawSchedule } from './draw-schedule.ts';
import { families } from './families.ts';
import { withGround } from './ground.ts';
import { type Played, playSchedule } from './play-schedule.ts';
import { report } from './report.ts';
import { createUndisturbed } from './undisturbed.ts';

/**
 * `npm run chaos [-- --schedules N --seed S --family name --parallel N]`: seeded schedules of faults, each held against
 * every promise.
 */
const values = programOptions('chaos', {
  schedules: wholeNumber(20),
  seed: wholeNumber(1),
  family: oneOf(
    families.map(({ name }) => name),
    undefined,
  ),
  parallel: wholeNumber(3),
  verbose: flag,
});
const say = (text: string) => process.stderr.write(`${text}\n`);
const seeds = Array.from({ length: values.schedules }, (_, index) => values.seed + index);
const startedAt = performance.now();

const played: Played[] = [];
await withGround(async (ground) => {
  const undisturbedOf = createUndisturbed(ground);
  const waiting = [...seeds];
  await Promise.all(
    Array.from({ length: values.parallel }, async () => {
      for (let seed = waiting.shift(); seed !== undefined; seed = waiting.shift()) {
        const schedule = drawSchedule(seed, values.family);
        const result = await playSchedule(ground, undisturbedOf, schedule).catch(
          (error: Error): Played => ({
            schedule,
            nights: [],
            seconds: 0,
            broken: [error.stack ?? error.message],
            respent: 0,
            verdicts: {},
          }),
        );
        played.push(result);
        sayPlayed(result);
      }
    }),
  );
});
process.stdout.write(report(played, (performance.now() - startedAt) / 1_000, again));
process.exitCode = played.some(({ broken }) => broken.length > 0) ? 1 : 0;

function sayPlayed({ schedule, broken, seconds, nights, respent }: Played): void {
  const { seed, family, world, queue, server } = schedule;
  const mark = broken.length === 0 ? 'ok    ' : 'BROKEN';
  const where = server === 'own' ? 'own server' : queue;
  say(`${mark} seed ${seed}: ${family}, ${world.name}, ${where}: ${seconds.toFixed(1)} s, ${respent} requests more`);
  if (broken.length === 0 && !values.verbose) return;
  for (const line of broken) say(`    ${line}`);
  say(`    ${JSON.stringify(schedule.nights)}`);
  say(`    again: ${again(seed)}`);
  if (values.verbose) for (const { said } of nights) say(said);
}

function again(seed: number): string {
  const family = values.family === undefined ? '' : ` --family '${values.family}'`;
  return `npm run chaos -- --schedules 1 --seed ${seed}${family}`;
}
