import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { Argument } from 'commander';
import { compose } from '../../app/compose.ts';
import { FileRefused } from '../../base/errors.ts';
import { using } from '../closing.ts';
import { defineVerb } from '../define-verb.ts';
import { count } from '../output/words.ts';
import { fxRates, keepFxRates } from '../rates/fx-rates.ts';
import { readTable } from '../rates/read-table.ts';
import { keepVatRates, vatRates } from '../rates/vat-rates.ts';

interface Options {
  readonly operands: readonly [what: 'load' | 'vat', file: string];
}

/** Far more than one row per day since the euro began. */
const mostBytes = 5_000_000;

export const rates = defineVerb<Options>({
  declare(command) {
    command
      .addArgument(
        new Argument(
          '<load|vat>',
          'load: columns date,pair,rate[,source]; vat: columns region,department,rate_pct',
        ).choices(['load', 'vat']),
      )
      .argument('<file>', 'a CSV file with a header');
  },

  async run({ operands: [what, path] }, { config, clock, log, console }) {
    const file = basename(path);
    const text = await textOf(path);
    return using(compose(config, { clock, log, name: 'rates' }), async ({ db }) => {
      if (what === 'load') {
        const rates = readTable(file, text, fxRates);
        await keepFxRates(db, rates, file, clock.now());
        console.say(`Exchange rates loaded into marts.fx_rate: ${count(rates.length)}.`);
      } else {
        const rates = readTable(file, text, vatRates);
        await keepVatRates(db, rates, clock.now());
        console.say(`VAT rates loaded into marts.vat_rate: ${count(rates.length)}.`);
      }
    });
  },
});

async function textOf(path: string): Promise<string> {
  const bytes = await readFile(path).catch((error: Error) => {
    throw new FileRefused(path, [`it cannot be read (${error.message})`]);
  });
  if (bytes.length > mostBytes) throw new FileRefused(path, [`it is larger than ${mostBytes / 1_000_000} MB`]);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new FileRefused(path, ['it is not UTF-8; in a spreadsheet, save it as "CSV UTF-8"']);
  }
}
