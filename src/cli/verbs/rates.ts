import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { Argument } from 'commander';
import { z } from 'zod';
import { readCsv } from '../../base/csv.ts';
import { Refused } from '../../base/errors.ts';
import { plural } from '../../base/format.ts';
import { defineVerb } from '../define-verb.ts';
import { count } from '../output/words.ts';
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

const required = ['date', 'pair', 'rate'];

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

/** Rates of a CSV file. Throws `Refused` with the mistakes, so that all rows are loaded or none. */
async function readRates(path: string): Promise<z.output<typeof Rate>[]> {
  const [header = [], ...lines] = await readFile(path)
    .then((bytes) => readCsv(new TextDecoder('utf-8', { fatal: true }).decode(bytes)))
    .catch((error: Error) => {
      throw refusal(path, [`it cannot be read as CSV in UTF-8 (${error.message})`]);
    })
    .then((records) => records.map((record) => record.map((field) => field?.trim())));
  const names = header.map((name) => name?.toLowerCase() ?? '');
  if (names.toString() !== [...required, ...(names.length > required.length ? ['source'] : [])].toString())
    throw refusal(path, [`its first line must be ${required}, the columns`]);

  const rates = new Map<string, z.output<typeof Rate>>();
  const mistakes = lines.flatMap((fields, i) => {
    if (fields.every((field) => field === undefined)) return [];
    const line = `line ${i + 2}`;
    if (fields.length !== names.length)
      return [`${line} has ${plural(fields.length, 'field')} instead of ${names.length}`];
    const { error, data } = Rate.safeParse(Object.fromEntries(names.map((name, n) => [name, fields[n]])));
    if (error) return error.issues.map(({ path: at, message }) => `${line}, ${at.join('.')}: ${message}`);
    if (rates.has(data.date)) return [`${line} repeats ${data.date}`];
    rates.set(data.date, data);
    return [];
  });
  if (mistakes.length === 0 && rates.size === 0) mistakes.push('it has no rows');
  if (mistakes.length > 0) throw refusal(path, mistakes);
  return [...rates.values()];
}

function refusal(file: string, mistakes: readonly string[]): Refused {
  const shown = mistakes.slice(0, 5).join('; ');
  const more = mistakes.length > 5 ? `; and ${mistakes.length - 5} more` : '';
  return new Refused(2, `${file} was not loaded: ${shown}${more}. Fix the file and load it again.`);
}
