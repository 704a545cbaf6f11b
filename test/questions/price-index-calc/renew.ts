import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { length, periods } from './market.ts';

/**
 * `node --import tsx test/questions/price-index-calc/renew.ts PYTHON` computes the values again, with a Python that has
 * the packages PriceIndexCalc (0.7), statsmodels, scikit-learn and seaborn.
 */
const asked = {
  length,
  periods: periods.map(({ keys, logs }) => Object.fromEntries([...keys].map((key, place) => [key, logs[place]!]))),
};
const printed = execFileSync(process.argv[2] ?? 'python3', [join(import.meta.dirname, 'values.py')], {
  input: JSON.stringify(asked),
  encoding: 'utf8',
});
writeFileSync(join(import.meta.dirname, 'values.json'), `${JSON.stringify(JSON.parse(printed), null, 1)}\n`);
