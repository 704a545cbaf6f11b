import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { Argument } from 'commander';
import { z } from 'zod';
import { readCsv } from '../../base/csv.ts';
import { Refused } from '../../base/errors.ts';
import { count } from '../../base/format.ts';
import { defineVerb } from '../define-verb.ts';
import { withBase } from '../with-base.ts';

export const verb = defineVerb<{ readonly operands: readonly [what: 'load', file: string] }>({
  declare(command) {
    command
      .addArgument(new Argument('<load>', 'load: columns date,pair,rate[,source]').choices(['load']))
      .argument('<file>', 'a CSV file with a header');
  },

  async run({ operands: [, path] }, invocation) {
    const rates = await readRates(path);
    return withBase(invocation, async ({ db, clock }) => {
      const loaded = rates.map(({ source = basename(path), ...rate }) => ({ ...rate, source }));
      await db.query(
        `insert into ops.fx_rate (base, quote, on_date, rate, source, loaded_at)
         select split_part(pair, '/', 1), split_part(pair, '/', 2), date, rate, source, $2
         from jsonb_to_recordset($1::jsonb) as loaded (date date, pair text, rate numeric, source text)
         on conflict (base, quote, on_date) do update
         set rate = excluded.rate, source = excluded.source, loaded_at = excluded.loaded_at`,
        [JSON.stringify(loaded), clock.now()],
      );
      invocation.console.say(`Exchange rates loaded into marts.fx_rate: ${count(rates.length)}.`);
    });
  },
});

const Rate = z.object({
  date: z.iso.date('must be a date such as 2026-03-02'),
  pair: z.literal('EUR/GBP', 'must be EUR/GBP, pounds for one euro'),
  rate: z
    .string('is missing')
    .regex(/^\d\.\d{1,10}$/, 'must be a decimal number such as 0.8712')
    // Since 1999 one euro has cost between 0.57 and 0.98 pounds; other values are an inverted pair or a typing error.
    .refine((rate) => Number(rate) >= 0.4 && Number(rate) <= 1.02, 'must lie between 0.4 and 1.02 pounds for one euro'),
  source: z.string().max(200, 'is longer than 200 characters').optional(),
});

/** Rates of a CSV file. Throws `Refused` with the first mistake, so that all rows are loaded or none. */
async function readRates(path: string): Promise<z.output<typeof Rate>[]> {
  const refuse = (mistake: string): never => {
    throw new Refused(2, `${path} was not loaded: ${mistake}. Fix the file and load it again.`);
  };
  const [header = [], ...lines] = await readFile(path)
    .then((bytes) => readCsv(new TextDecoder('utf-8', { fatal: true }).decode(bytes)))
    .catch(({ message }: Error) => refuse(`it cannot be read as CSV in UTF-8 (${message})`));
  const names = header.map((name) => name?.trim().toLowerCase());
  if (!['date,pair,rate', 'date,pair,rate,source'].includes(names.join()))
    refuse('its first line must be date,pair,rate, the columns');
  const rates = new Map<string, z.output<typeof Rate>>();
  for (const [i, fields] of lines.entries()) {
    if (fields.every((field) => !field?.trim())) continue;
    const { error, data } = Rate.safeParse(Object.fromEntries(names.map((name, n) => [name, fields[n]?.trim()])));
    if (error) return refuse(`line ${i + 2}, ${error.issues[0]!.path.join('.')}: ${error.issues[0]!.message}`);
    if (rates.has(data.date)) refuse(`line ${i + 2} repeats ${data.date}`);
    rates.set(data.date, data);
  }
  if (rates.size === 0) refuse('it has no rows');
  return [...rates.values()];
}
