import { InvalidArgumentError } from 'commander';
import { defaultSeed, servedItems } from '../../app/config/simulated.ts';
import { UsageInvalid } from '../../base/errors.ts';
import { createSimulator, type SimulatorOptions } from '../../simulator/index.ts';
import { Behaviour, CatalogueOptions } from '../../simulator/settings.ts';
import { cannotListen } from '../cannot-listen.ts';
import { using } from '../closing.ts';
import { defineVerb } from '../define-verb.ts';
import { untilInterrupted } from '../interruption.ts';
import { readDate, readNumber, wholeNumber } from '../option-values.ts';

interface Options {
  readonly items: number;
  readonly seed: number;
  readonly port: number;
  readonly host: string;
  readonly date?: string;
  readonly key?: string;
  readonly requestsPerSecond: number;
  readonly monthlyQuota: number;
  readonly dailyChange: number;
  readonly faults?: unknown;
  readonly set?: Readonly<Record<string, unknown>>;
}

export const simulate = defineVerb<Options>({
  declare(command) {
    command
      .option('--items <n>', 'products per region', wholeNumber(1, 10_000_000), servedItems)
      .option('--seed <n>', 'seed of the supermarket', wholeNumber(0), defaultSeed)
      .option('--port <port>', 'port to listen on; 0: any free port', wholeNumber(0, 65_535), 4281)
      .option('--host <host>', 'address to listen on', '127.0.0.1')
      .option('--date <date>', 'date of the catalogue (default: today)', readDate)
      .option('--key <key>', 'the only key to accept (default: any)')
      .option('--requests-per-second <r>', 'answer 429 above this rate; 0: unlimited', readNumber, 0)
      .option('--monthly-quota <q>', 'monthly requests of a listing; 0: unlimited', wholeNumber(0), 0)
      .option('--daily-change <share>', 'share of prices that change in a night', readNumber, 0.015)
      .option('--faults <json>', 'faults: a list of rules such as [{"kind":"vendor502","every":10}]', readJson)
      .option('--set <name=value>', 'any other setting, such as listingCap=500; may be repeated', addSetting);
  },

  async run({ set, ...options }, { clock, console, signal }) {
    return using(open({ ...options, ...set, now: () => clock.now() }), async ({ url, served }) => {
      const { uk, ie } = served();
      await console.data(`${url}\n`);
      console.say(`The simulator serves the catalogue of ${uk === ie ? uk : `${uk} (uk) and ${ie} (ie)`}.`);
      console.say(
        `To use it, set GROCERY_BASE_URL=${url} GROCERY_KEY=${options.key === undefined ? 'anything' : '<the key>'}`,
      );
      await untilInterrupted(signal);
    });
  },
});

async function open(options: object) {
  const { host = '', port = 0 } = options as SimulatorOptions;
  try {
    return await createSimulator(options);
  } catch (error) {
    if (error instanceof RangeError) throw new UsageInvalid(`Invalid settings of the simulator: ${error.message}.`);
    throw cannotListen(error, host, port, '--host or --port');
  }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidArgumentError('It is not JSON.');
  }
}

/** Parses `name=value`; the value is JSON if it parses as JSON, otherwise text. */
function addSetting(text: string, before: Readonly<Record<string, unknown>> | undefined): Record<string, unknown> {
  const [, name = '', value = ''] = /^([a-zA-Z]+)=(.*)$/s.exec(text) ?? [];
  if (!settings.includes(name))
    throw new InvalidArgumentError(`It must be name=value, with a name of: ${settings.join(', ')}.`);
  return { ...before, [name]: parsed(value) };
}

const settings = Object.keys({ ...CatalogueOptions.shape, ...Behaviour.shape });

function parsed(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
