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
    `products per region of the simulator, if no gateway is configured (default: as in the book, ${defaultItems} in a new one)`,
    wholeNumber(1, 10_000_000),
  );
}

/**
 * How the simulator is set up when it plays the upstream: as it was asked for, otherwise as the book was begun.
 * Throws `UsageInvalid` when a size is asked of a real upstream.
 */
export function simulatorOptions({ upstream }: Config, { items }: ItemsOption): SimulatorOptions {
  if (items !== undefined && upstream === 'gateway') {
    throw new UsageInvalid('--items is for the simulator, but a gateway is configured; see `pricebook config`.');
  }
  return items === undefined ? {} : { items };
}
