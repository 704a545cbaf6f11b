import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { Argument } from 'commander';
import { z } from 'zod';
import { compose } from '../../app/compose.ts';
import { readCsv } from '../../base/csv.ts';
import { Refused } from '../../base/errors.ts';
import { RegionCode } from '../../base/model/index.ts';
import { using } from '../closing.ts';
import { defineVerb } from '../define-verb.ts';
import { count } from '../output/words.ts';

interface Options {
  readonly operands: readonly [what: 'load' | 'vat', file: string];
}

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
    const table = tables[what];
    const rows = await readRows(path, table);
    return using(compose(config, { clock, log, name: 'rates' }), async ({ db }) => {
      const loaded = rows.map((row) => ({ ...row, source: row['source'] ?? basename(path) }));
      await db.query(table.insert, [JSON.stringify(loaded), clock.now()]);
      console.say(`${table.title} loaded into ${table.mart}: ${count(rows.length)}.`);
    });
  },
});

/** A CSV file filled in by a user. Its rows replace those with the same key; all of them are loaded or none. */
interface Table {
  readonly title: string;
  readonly mart: string;
  readonly columns: readonly string[];
  readonly row: z.ZodType<Readonly<Record<string, unknown>>>;
  readonly key: readonly string[];
  readonly insert: string;
}

/**
 * Since 1999 one euro has cost between 0.57 and 0.98 pounds. Values outside these bounds indicate an inverted pair or a
 * typing error.
 */
const fences = { least: 0.4, most: 1.02 } as const;

const tables: Readonly<Record<Options['operands'][0], Table>> = {
  load: {
    title: 'Exchange rates',
    mart: 'marts.fx_rate',
    columns: ['date', 'pair', 'rate', 'source'],
    row: z.object({
      date: z.iso.date('must be a date such as 2026-03-02'),
      pair: z.literal('EUR/GBP', 'must be EUR/GBP, pounds for one euro'),
      rate: z
        .string('is missing')
        .regex(/^\d\.\d{1,10}$/, 'must be a decimal number such as 0.8712')
        .refine(
          (rate) => Number(rate) >= fences.least && Number(rate) <= fences.most,
          `must lie between ${fences.least} and ${fences.most} pounds for one euro`,
        ),
      source: z.string().max(200, 'is longer than 200 characters').optional(),
    }),
    key: ['date'],
    insert: `
      insert into ops.fx_rate (base, quote, on_date, rate, source, loaded_at)
      select split_part(pair, '/', 1), split_part(pair, '/', 2), date, rate, source, $2
      from jsonb_to_recordset($1::jsonb) as loaded (date date, pair text, rate numeric, source text)
      on conflict (base, quote, on_date) do update
      set rate = excluded.rate, source = excluded.source, loaded_at = excluded.loaded_at`,
  },
  vat: {
    title: 'VAT rates',
    mart: 'marts.vat_rate',
    columns: ['region', 'department', 'rate_pct'],
    row: z.object({
      region: RegionCode,
      department: z.string('is missing').max(300, 'is longer than 300 characters').toLowerCase(),
      rate_pct: z
        .string('is missing')
        .regex(/^\d{1,2}(\.\d{1,3})?$/, 'must be a percentage such as 20 or 13.5')
        .refine((rate) => Number(rate) <= 30, 'must be at most 30 percent'),
    }),
    key: ['region', 'department'],
    insert: `
      insert into ops.vat_rate (region, department, rate_pct, loaded_at)
      select region, department, rate_pct, $2
      from jsonb_to_recordset($1::jsonb) as loaded (region text, department text, rate_pct numeric)
      on conflict (region, department) do update set rate_pct = excluded.rate_pct, loaded_at = excluded.loaded_at`,
  },
};

/** Rows of a file. Throws `Refused` with the mistakes. */
async function readRows(path: string, { columns, row, key }: Table): Promise<Record<string, unknown>[]> {
  let records: (string | null)[][];
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path));
    records = readCsv(text);
  } catch (error) {
    throw refusal(path, [`it cannot be read as CSV in UTF-8 (${(error as Error).message})`]);
  }
  const [header = [], ...lines] = records.map((record) => record.map((field) => field?.trim()));
  const names = header.map((name) => name?.toLowerCase() ?? '');
  if (names.toString() !== columns.slice(0, Math.max(3, names.length)).toString())
    throw refusal(path, [`its first line must be ${columns.slice(0, 3).join(',')}, the columns`]);

  const rows = new Map<string, Record<string, unknown>>();
  const mistakes = lines.flatMap((fields, i) => {
    if (fields.every((field) => field === undefined)) return [];
    const line = `line ${i + 2}`;
    if (fields.length !== names.length) return [`${line} has ${fields.length} fields instead of ${names.length}`];
    const read = row.safeParse(Object.fromEntries(names.map((name, n) => [name, fields[n]])));
    if (!read.success) return read.error.issues.map(({ path: at, message }) => `${line}, ${at.join('.')}: ${message}`);
    const id = key.map((name) => read.data[name]).join(' ');
    if (rows.has(id)) return [`${line} repeats ${id}`];
    rows.set(id, read.data);
    return [];
  });
  if (mistakes.length === 0 && rows.size === 0) mistakes.push('it has no rows');
  if (mistakes.length > 0) throw refusal(path, mistakes);
  return [...rows.values()];
}

function refusal(file: string, mistakes: readonly string[]): Refused {
  const shown = mistakes.slice(0, 5).join('; ');
  const more = mistakes.length > 5 ? `; and ${mistakes.length - 5} more` : '';
  return new Refused(2, `${file} was not loaded: ${shown}${more}. Fix the file and load it again.`);
}
