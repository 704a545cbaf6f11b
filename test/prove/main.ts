import { Command, Option } from 'commander';
import { wholeNumber } from '../support/whole-number.ts';
import { faults } from './faults/faults.ts';
import { withGround } from './ground.ts';
import { injections } from './injections/injections.ts';
import type { Profile, Trial } from './profile.ts';
import { spend } from './spend/spend.ts';
import { worlds } from './worlds/worlds.ts';

/**
 * `npm run prove -- --profile NAME [--count N --seed S --only VARIANT --parallel N]`: plays drawn courses of
 * events against the simulator and holds what comes of each against every promise. A seed plays the same every time.
 */
const profiles: Readonly<Record<string, Profile>> = { faults, injections, spend, worlds };
const program = new Command('prove')
  .addOption(new Option('--profile <name>').choices(Object.keys(profiles)).makeOptionMandatory())
  .option('--count <number>', 'trials', wholeNumber, 0)
  .option('--seed <number>', 'seed of the first trial', wholeNumber, 1)
  .option('--only <variant>', 'only trials of this variant')
  .option('--parallel <number>', 'trials at a time', wholeNumber, 0)
  .parse();
const asked = program.opts<{ profile: string; count: number; seed: number; only?: string; parallel: number }>();
const { profile: name, only } = asked;
const profile = profiles[name]!;
if (only !== undefined && !profile.variants.includes(only)) {
  program.error(`--only is one of ${profile.variants.join(', ') || 'none'} with --profile ${name}.`);
}
const count = asked.count || profile.count;
const waiting = Array.from({ length: count }, (_, index) => asked.seed + index);
const sums: Record<string, number> = {};
let played = 0;
let broken = 0;

await withGround(async (ground) => {
  const play = profile.begin(ground, only);
  const playOn = async () => {
    for (let seed = waiting.shift(); seed !== undefined; seed = waiting.shift()) {
      report(await play(seed).catch((error: Error) => unplayed(seed!, error)));
    }
  };
  await Promise.all(Array.from({ length: asked.parallel || profile.parallel }, playOn));
});
const happened = Object.entries(sums).map(([what, times]) => `${what} ${times}`);
// Clients of servers that were killed may wait for ever.
process.stdout.write(`broken: ${broken} of ${played}\n${happened.join(', ')}\n`, () =>
  process.exit(broken > 0 ? 1 : 0),
);

function unplayed(seed: number, error: Error): Trial {
  return { seed, kind: 'not played to its end', broken: [error.stack ?? error.message], counts: {} };
}

function report(trial: Trial): void {
  played += 1;
  for (const [what, times] of Object.entries(trial.counts)) sums[what] = (sums[what] ?? 0) + times;
  const { seed, kind } = trial;
  if (trial.broken.length === 0) process.stderr.write(`${played} of ${count}: seed ${seed}, ${kind}: kept\n`);
  else {
    broken += 1;
    const again = `--profile ${name} --count 1 --seed ${seed}${only === undefined ? '' : ` --only '${only}'`}`;
    const lines = trial.broken.map((line) => `  ${line}\n`).join('');
    process.stderr.write(`BROKEN seed ${seed} (${kind})\n${lines}  again: npm run prove -- ${again}\n`);
    process.stderr.write(`${trial.details ?? ''}\n`);
  }
}
