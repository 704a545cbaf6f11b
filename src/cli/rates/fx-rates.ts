import { z } from 'zod';
import type { Database } from '../../db/client.ts';
import type { LoadedTable } from './read-table.ts';

interface FxRate {
  readonly date: string;
  readonly pair: string;
  readonly rate: string;
  readonly source?: string | undefined;
}

/**
 * Since 1999 one euro has cost between 0.57 and 0.98 pounds. Values outside these bounds indicate an inverted pair or a
 * typing error.
 */
const fences = { least: 0.4, most: 1.02 } as const;

/** One date per row with the price of a euro in pounds: `2026-03-02,EUR/GBP,0.8712`. */
export const fxRates: LoadedTable<FxRate> = {
  columns: ['date', 'pair', 'rate'],
  optional: ['source'],
  row: z.object({
    date: z.iso
      .date('must be a date such as 2026-03-02')
      .refine((date) => date >= '1999-01-01', 'there was no euro before 1999-01-01'),
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
  key: ({ date, pair }) => `${pair} on ${date}`,
};

/** Inserts rates; existing rates of the same dates are replaced. */
export async function keepFxRates(db: Database, rates: readonly FxRate[], file: string, now: Date): Promise<void> {
  await db.query(
    `insert into ops.fx_rate (base, quote, on_date, rate, source, loaded_at)
     select split_part(pair, '/', 1), split_part(pair, '/', 2), on_date, rate, source, $5
     from unnest($1::text[], $2::date[], $3::numeric[], $4::text[]) as loaded (pair, on_date, rate, source)
     on conflict (base, quote, on_date) do update
     set rate = excluded.rate, source = excluded.source, loaded_at = excluded.loaded_at`,
    [
      rates.map(({ pair }) => pair),
      rates.map(({ date }) => date),
      rates.map(({ rate }) => rate),
      rates.map(({ source }) => source ?? file),
      now,
    ],
  );
}
