import { InvalidArgumentError } from 'commander';
import { defaultSeed } from '../../app/config/simulated.ts';
import { UsageInvalid } from '../../base/errors.ts';
import { createSimulator, type SimulatorOptions } from '../../simulator/index.ts';
import { Behaviour, CatalogueOptions } from '../../simulator/settings.ts';
import { cannotListen } from '../cannot-listen.ts';
import { using } from '../closing.ts';
import { defineVerb } from '../define-verb.ts';
import { untilInterrupted } from '../interruption.ts';
import { option, preset, readDate, readNumber, wholeNumber } from '../option-values.ts';

export const verb = defineVerb({
  options: {
    items: preset(20_000, '--items <n>', 'products per region', wholeNumber(1, 10_000_000)),
    seed: preset(defaultSeed, '--seed <n>', 'seed of the supermarket', wholeNumber(0)),
    port: preset(4281, '--port <port>', 'port to listen on; 0: any free port', wholeNumber(0, 65_535)),
    host: preset('127.0.0.1', '--host <host>', 'address to listen on', String),
    date: option('--date <date>', 'date of the catalogue (default: today)', readDate),
    key: option('--key <key>', 'the only key to accept (default: any)', String),
    requestsPerSecond: preset(0, '--requests-per-second <r>', 'answer 429 above this rate; 0: unlimited', readNumber),
    monthlyQuota: preset(0, '--monthly-quota <q>', 'monthly requests of a listing; 0: unlimited', wholeNumber(0)),
    dailyChange: preset(0.0045, '--daily-change <share>', 'share of prices that change in a night', readNumber),
    faults: option('--faults <json>', 'faults: a list of rules such as [{"kind":"vendor502","every":10}]', readJson),
    set: option('--set <name=value>', 'any other setting, such as listingCap=500; may be repeated', addSetting),
  },

  async run({ set, ...options }, { clock, console, signal }) {
    return using(open({ ...options, ...set, now: () => clock.now() }), async ({ url, served }) => {
      const { uk, ie } = served();
      await console.data(`${url}\n`);
      console.say(`The simulator serves the catalogue of ${uk === ie ? uk : `${uk} (uk) and ${ie} (ie)`}.`);
      const key = options.key === undefined ? 'anything' : '<the key>';
      console.say(`To use it, set GROCERY_BASE_URL=${url} GROCERY_KEY=${key}`);
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
  const value = jsonOf(text);
  if (value === undefined) throw new InvalidArgumentError('It is not JSON.');
  return value;
}

/** Parses `name=value`; the value is JSON if it parses as JSON, otherwise text. */
function addSetting(text: string, before: Readonly<Record<string, unknown>> | undefined): Record<string, unknown> {
  const [, name = '', value = ''] = /^([a-zA-Z]+)=(.*)$/s.exec(text) ?? [];
  if (!settings.includes(name))
    throw new InvalidArgumentError(`It must be name=value, with a name of: ${settings.join(', ')}.`);
  return { ...before, [name]: jsonOf(value) ?? value };
}

const settings = Object.keys({ ...CatalogueOptions.shape, ...Behaviour.shape });

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
