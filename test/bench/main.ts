import { availableParallelism, loadavg } from 'node:os';
import { Command, Option } from 'commander';
import '../../src/cli/engine-settings.js';
import { formatTable } from '../../src/cli/output/table.ts';
import { wholeNumber } from '../support/whole-number.ts';
import { defaults } from './defaults.ts';
import { type Figure, type Measured, verdictOn } from './figure.ts';
import { memory } from './memory.ts';
import { pace } from './pace.ts';
import { pages } from './pages.ts';
import { peers } from './peers.ts';
import { questions } from './questions.ts';
import { statements } from './statements.ts';
import { truth } from './truth.ts';
import { wholeNights } from './whole-nights.ts';

/**
 * `npm run bench [-- --items N --only name --book FOLDER]` measures every figure of docs/contribute/performance.md.
 * With a folder, the database of three years is kept there and used again the next time.
 */
const figures: readonly Figure[] = [wholeNights, truth, statements, questions, pages, pace, memory, defaults, peers];

const { items, only, book, server } = new Command('bench')
  .option('--items <number>', 'products of a region', wholeNumber, 300_000)
  .addOption(new Option('--only <figure>', 'only this figure').choices(figures.map(({ name }) => name)))
  .option('--book <folder>', 'keeps the database of three years')
  .option('--server <url>', 'for `defaults`: this server instead of one with default settings')
  .parse()
  .opts<{ items: number; only?: string; book?: string; server?: string }>();

const say = (text: string) => console.error(text);
say(`${availableParallelism()} cores, Node ${process.version}, ${items} products`);
const measured: Measured[] = [];
for (const figure of figures.filter(({ name }) => only === undefined || only === name)) {
  // Load of the machine: durations mean little on a busy machine.
  say(`-- ${figure.name} (load ${loadavg()[0]!.toFixed(1)})`);
  measured.push(...(await figure.run({ book, items, server, say })));
}
const rows = measured.map((one) => {
  const { what, value, unit, target, from } = one;
  const sign = target.is === 'at least' ? '>=' : '<=';
  const shown = `${value.toFixed(value >= 100 ? 0 : 2)} ${unit}`.trim();
  return [what, shown, `${sign} ${target.aim}`, `${sign} ${target.floor}`, verdictOn(one), from];
});
console.log(formatTable(['figure', 'measured', 'aim', 'floor', 'reaches', 'from'], rows, 200));
