import { defaultItems } from '../app/config/simulated.ts';
import type { Config } from '../app/config.ts';
import { UsageInvalid } from '../base/errors.ts';
import type { SimulatorOptions } from '../simulator/index.ts';
import { option, wholeNumber } from './option-values.ts';

export const itemsOption = () =>
  option(
    '--items <n>',
    'products per region of the simulator, if no gateway is configured ' +
      `(default: as stored, ${defaultItems} in a new database)`,
    wholeNumber(1, 10_000_000),
  );

/** Options as given; others are as stored in the database. Throws `UsageInvalid` for a size of a real upstream. */
export function simulatorOptions({ upstream }: Config, items: number | undefined): SimulatorOptions {
  if (items !== undefined && upstream === 'gateway')
    throw new UsageInvalid('--items is for the simulator, but a gateway is configured; see `pricebook config`.');
  return items === undefined ? {} : { items };
}
