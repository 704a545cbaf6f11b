import { Command, Option } from 'commander';
import { wholeNumber } from '../support/whole-number.ts';
import { faults } from './faults/faults.ts';
import { withGround } from './ground.ts';
import { injections } from './injections/injections.ts';
import type { Profile, Trial } from './profile.ts';
import { brokenInWords, report } from './report.ts';
import { spend } from './spend/spend.ts';
import { watches } from './watches/watches.ts';
import { worlds } from './worlds/worlds.ts';

/**
 * `npm run prove -- --profile NAME [--count N --seed S --only VARIANT --parallel N --verbose]`: plays drawn courses of
 * events against the simulator and holds what comes of each against every promise. A seed plays the same every time.
 */
const profiles: Readonly<Record<string, Profile>> = { faults, injections, spend, watches, worlds };
const program = new Command('prove')
  .addOption(new Option('--profile <name>').choices(Object.keys(profiles)).makeOptionMandatory())
  .option('--count <number>', 'trials', wholeNumber, 0)
  .option('--seed <number>', 'seed of the first trial', wholeNumber, 1)
  .option('--only <variant>', 'only trials of this variant')
  .option('--parallel <number>', 'trials at a time', wholeNumber, 0)
  .option('--verbose', 'show the details of every trial')
  .parse();
const values = program.opts<{
  profile: string;
  count: number;
  seed: number;
  only?: string;
  parallel: number;
  verbose?: true;
}>();
const profile = profiles[values.profile]!;
const { only } = values;
if (only !== undefined && !profile.variants.includes(only)) {
  program.error(`--only is one of ${profile.variants.join(', ') || 'none'} with --profile ${values.profile}.`);
}
const count = values.count || profile.count;
const parallel = profile.parallel === 1 ? 1 : values.parallel || profile.parallel;
const waiting = Array.from({ length: count }, (_, index) => values.seed + index);
const trials: Trial[] = [];
const startedAt = performance.now();

await withGround(async (ground) => {
  const course = await profile.begin(ground, { count, seed: values.seed, only, parallel });
  const playOn = async () => {
    for (let seed = waiting.shift(); seed !== undefined; seed = waiting.shift()) {
      const trial = await course.play(seed).catch((error: Error) => failed(seed!, error));
      trials.push(trial);
      say(trial);
    }
  };
  try {
    await Promise.all(Array.from({ length: parallel }, playOn));
  } finally {
    await course.close?.();
  }
});
process.stdout.write(report(trials, (performance.now() - startedAt) / 1_000, again));
process.exitCode = trials.some(({ broken }) => broken.length > 0) ? 1 : 0;

function failed(seed: number, error: Error): Trial {
  return { seed, kind: 'not played to its end', broken: [error.stack ?? error.message], counts: {} };
}

function say(trial: Trial): void {
  const isWhole = trial.broken.length === 0;
  if (isWhole) process.stderr.write(`${trials.length} of ${count}: seed ${trial.seed}, ${trial.kind}: kept\n`);
  else process.stderr.write(brokenInWords(trial, again(trial.seed)));
  if (values.verbose || !isWhole) process.stderr.write(`${trial.details ?? ''}\n`);
}

/** Command that repeats one trial, with the earlier ones if trials continue each other. */
function again(seed: number): string {
  const isAlone = profile.parallel > 1;
  const span = isAlone ? `--count 1 --seed ${seed}` : `--count ${seed - values.seed + 1} --seed ${values.seed}`;
  return `npm run prove -- --profile ${values.profile} ${span}${only === undefined ? '' : ` --only '${only}'`}`;
}
