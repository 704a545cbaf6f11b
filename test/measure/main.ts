import { flag, programOptions } from '../support/program-options.ts';
import { type Size, sizes } from './sizes.ts';
import { statementsPerRequest } from './statements.ts';

/**
 * `npm run measure [-- --sizes --files]` prints the sizes of the program, the files one reads to follow a page, a
 * request or a publication (`test/measure/ways.ts` defines these ways), and the SQL statements per request. `--sizes`
 * leaves the statements out, for which two nights are crawled; `--files` lists the files of each way.
 */
const options = programOptions('measure', { sizes: flag, files: flag });

print(sizes({ listed: options.files === true }));
if (options.sizes !== true) print(await statementsPerRequest());

function print(measured: readonly Size[]): void {
  const width = Math.max(...measured.map(({ what }) => what.length));
  console.log(measured.map(({ what, value }) => `${what.padEnd(width)}  ${value}`).join('\n'));
}
