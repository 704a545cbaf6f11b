import { z } from 'zod';
import { RegionCode } from '../../base/model/index.ts';
import type { Database } from '../../db/client.ts';
import type { LoadedTable } from './read-table.ts';

interface VatRate {
  readonly region: RegionCode;
  readonly department: string;
  readonly rate_pct: string;
}

/** VAT rate of a department: `uk,Bakery,0`. */
export const vatRates: LoadedTable<VatRate> = {
  columns: ['region', 'department', 'rate_pct'],
  optional: [],
  row: z.object({
    region: RegionCode,
    department: z.string('is missing').min(1, 'is missing').max(300, 'is longer than 300 characters'),
    rate_pct: z
      .string('is missing')
      .regex(/^\d{1,2}(\.\d{1,3})?$/, 'must be a percentage such as 20 or 13.5')
      .refine((rate) => Number(rate) <= 30, 'must be at most 30 percent'),
  }),
  key: ({ region, department }) => `${region} ${department.toLowerCase()}`,
};

/** Inserts rates; existing rates of the same departments are replaced. */
export async function keepVatRates(db: Database, rates: readonly VatRate[], now: Date): Promise<void> {
  await db.query(
    `insert into ops.vat_rate (region, department, rate_pct, loaded_at)
     select region, lower(department), rate_pct, $4
     from unnest($1::text[], $2::text[], $3::numeric[]) as loaded (region, department, rate_pct)
     on conflict (region, department) do update set rate_pct = excluded.rate_pct, loaded_at = excluded.loaded_at`,
    [
      rates.map(({ region }) => region),
      rates.map(({ department }) => department),
      rates.map(({ rate_pct }) => rate_pct),
      now,
    ],
  );
}
