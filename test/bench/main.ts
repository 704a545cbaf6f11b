import { availableParallelism, loadavg } from 'node:os';
import { Command, Option } from 'commander';
import '../../src/cli/engine-settings.js';
import { wholeNumber } from '../support/whole-number.ts';
import { asOf } from './as-of.ts';
import { changedNight } from './changed-night.ts';
import type { Figure, Measured } from './figure.ts';
import { historyBytes } from './history-bytes.ts';
import { memory } from './memory.ts';
import { pace } from './pace.ts';
import { pages } from './pages.ts';
import { peers } from './peers.ts';
import { recipes } from './recipes.ts';
import { repeatedPages } from './repeated-pages.ts';
import { report } from './report.ts';
import { statements } from './statements.ts';
import { walk } from './walk.ts';
import { wholeNights } from './whole-nights.ts';
import { year } from './year.ts';

/**
 * `npm run bench [-- --items N --only name --book FOLDER]` measures every figure of docs/contribute/performance.md.
 * With a folder, the database of three years is kept there and used again the next time.
 * `--before FOLDER` adds another checkout to `peers`.
 */
const figures: readonly Figure[] = [
  wholeNights,
  statements,
  changedNight,
  historyBytes,
  year,
  asOf,
  recipes,
  pages,
  repeatedPages,
  walk,
  pace,
  memory,
  peers,
];

const { items, only, ...places } = new Command('bench')
  .option('--items <number>', 'products of a region', wholeNumber, 300_000)
  .addOption(new Option('--only <figure>', 'only this figure').choices(figures.map(({ name }) => name)))
  .option('--book <folder>', 'keeps the database of three years')
  .option('--before <folder>', 'another checkout, for `peers`')
  .parse()
  .opts<{ items: number; only?: string; book?: string; before?: string }>();
const chosen = figures.filter(({ name }) => only === undefined || only === name);

const say = (text: string) => console.error(text);
say(`${availableParallelism()} cores, Node ${process.version}, ${items} products`);
const measured: Measured[] = [];
for (const figure of chosen) {
  // Load of the machine: durations mean little on a busy machine.
  say(`-- ${figure.name} (load ${loadavg()[0]!.toFixed(1)})`);
  measured.push(...(await figure.run({ ...places, items, say })));
}
console.log(report(measured));
