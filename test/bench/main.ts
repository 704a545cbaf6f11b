import { availableParallelism, loadavg } from 'node:os';
import '../../src/cli/frugal-heap.ts';
import { anyText, oneOf, programOptions, wholeNumber } from '../support/program-options.ts';
import { asOf } from './as-of.ts';
import { changedNight } from './changed-night.ts';
import type { Figure, Measured } from './figure.ts';
import { historyBytes } from './history-bytes.ts';
import { memory } from './memory.ts';
import { pace } from './pace.ts';
import { pages } from './pages.ts';
import { peers } from './peers.ts';
import { recipes } from './recipes.ts';
import { report } from './report.ts';
import { statements } from './statements.ts';
import { wholeNights } from './whole-nights.ts';
import { year } from './year.ts';

/**
 * `npm run bench [-- --items N --only name --book FOLDER]` measures every figure of docs/contribute/performance.md.
 * With a folder, the database of three years is kept there and used again the next time.
 * `--prototype FILE` and `--before FOLDER` add candidates to `peers`.
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
  pace,
  memory,
  peers,
];

const values = programOptions('bench', {
  items: wholeNumber(300_000),
  only: oneOf(
    figures.map(({ name }) => name),
    undefined,
  ),
  book: anyText('FOLDER'),
  prototype: anyText('FILE'),
  before: anyText('FOLDER'),
});
const { items, ...places } = values;
const chosen = figures.filter(({ name }) => values.only === undefined || values.only === name);

const say = (text: string) => console.error(text);
say(`${availableParallelism()} cores, Node ${process.version}, ${items} products`);
const measured: Measured[] = [];
for (const figure of chosen) {
  // Load of the machine: durations mean little on a busy machine.
  say(`-- ${figure.name} (load ${loadavg()[0]!.toFixed(1)})`);
  measured.push(...(await figure.run({ ...places, items, say })));
}
console.log(report(measured));
