import type { Command } from 'commander';
import { defaultItems } from '../app/config/simulated.ts';
import type { Config } from '../app/config.ts';
import { UsageInvalid } from '../base/errors.ts';
import type { SimulatorOptions } from '../simulator/index.ts';
import { wholeNumber } from './option-values.ts';

export interface ItemsOption {
  readonly items?: number;
}

/** Adds `--items`. */
export function declareItems(command: Command): void {
  command.option(
    '--items <n>',
    'products per region of the simulator, if no gateway is configured ' +
      `(default: as stored, ${defaultItems} in a new database)`,
    wholeNumber(1, 10_000_000),
  );
}

/**
 * Options of the simulator: as given, otherwise as stored in the database. Throws `UsageInvalid` if a size is given for
 * a real upstream.
 */
export function simulatorOptions({ upstream }: Config, { items }: ItemsOption): SimulatorOptions {
  if (items !== undefined && upstream === 'gateway') {
    throw new UsageInvalid('--items is for the simulator, but a gateway is configured; see `pricebook config`.');
  }
  return items === undefined ? {} : { items };
}
