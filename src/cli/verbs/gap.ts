import { compose } from '../../compose.ts';
import type { Askable } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';
import { NothingFound } from '../../errors.ts';
import { using } from '../closing.ts';
import { defineVerb } from '../define-verb.ts';
import { findCategories } from '../find-categories.ts';
import { sayNightsOwed } from '../nights-owed.ts';
import { readDate, wholeNumber } from '../option-values.ts';
import { amount, share } from '../output/amounts.ts';
import { readBatches } from '../output/read-batches.ts';
import {
  declareLimitAndFormats,
  formatOf,
  type LimitOptions,
  limitOf,
  sayIfCut,
  type TableColumns,
  writeRows,
} from '../output/rows.ts';

interface Options extends LimitOptions {
  readonly date?: string;
  readonly tier?: number;
  readonly category?: string;
}

const columns = [
  'snapshot_date',
  'uk_product_id',
  'ie_product_id',
  'tier',
  'uk_title',
  'uk_price',
  'uk_currency',
  'ie_price',
  'ie_currency',
  'rate',
  'rate_date',
  'ie_price_gbp',
  'gap_pct',
  'uk_vat_pct',
  'ie_vat_pct',
  'gap_before_vat_pct',
  'reason',
] as const;

const table: TableColumns = {
  product: (row) => row['uk_title'],
  tier: (row) => row['tier'],
  uk: (row) => amount(row['uk_price'], row['uk_currency']),
  ie: (row) => amount(row['ie_price'], row['ie_currency']),
  'ie at rate': (row) =>
    row['ie_price_gbp'] === null ? null : amount(Number(row['ie_price_gbp']).toFixed(2), row['uk_currency']),
  gap: (row) => share(row['gap_pct']) ?? row['reason'],
};

export const gap = defineVerb<Options>({
  declare(command) {
    command
      .option('--date <date>', 'YYYY-MM-DD (default: the last night that is certified in both regions)', readDate)
      .option('--tier <n>', 'of matches of this tier: 1 barcode, 2 base product number, 3 name', wholeNumber(1, 3))
      .option('--category <name>', 'of products that are in it now, or below it: its name, path or id');
    declareLimitAndFormats(command);
  },

  run(options, { config, clock, log, console }) {
    const { tier = null, category = null } = options;
    return using(compose(config, { clock, log, name: 'gap' }), async ({ db }) => {
      const date = options.date ?? (await lastCommonNight(db));
      const categoryKeys = category === null ? null : await findCategories(db, null, category);
      const written = await writeRows(console, formatOf(options), {
        columns,
        table,
        head: { date, tier, category },
        batches: readBatches(
          db,
          `select ${columns.join(', ')} from marts.fct_region_gap
           where snapshot_date = $1
             and ($2::int is null or tier = $2)
             and ($3::int[] is null or exists (
               select from marts.bridge_product_category b
               where b.product_key in (uk_product_key, ie_product_key) and b.category_key = any ($3) and b.valid_to is null))
           order by gap_pct desc nulls last, uk_product_id, ie_product_id limit $4`,
          [date, tier, categoryKeys, limitOf(options)],
        ),
      });
      const isOwed = await sayNightsOwed(db, console);
      if (written === 0 && !isOwed) {
        console.say(
          (await isNight(db, date))
            ? tier === null && category === null
              ? `No matched product was listed on ${date}.`
              : `No match of that kind was listed on ${date}; others may have been.`
            : `No night of ${date} is certified, in neither region: there is nothing to compare.`,
        );
      }
      if (written > 0) {
        console.say(
          `${date}, taxes included; the gap is the Irish price at the exchange rate over the British one, less one.`,
        );
      }
      if (written > 0 && !(await isRateKnown(db, date))) {
        console.say(
          `No exchange rate is known for ${date} or the 7 days before it: \`pricebook fx load FILE.csv\` loads one.`,
        );
      }
      sayIfCut(console, options, written);
    });
  },
});

async function lastCommonNight(db: Askable): Promise<string> {
  const [night] = await rowsOf<{ date: string | null }>(
    db,
    `select max(uk.snapshot_date) as date
     from ops.run uk
     join ops.run ie on ie.region = 'ie' and ie.snapshot_date = uk.snapshot_date and ${isCertified('ie')}
     where uk.region = 'uk' and ${isCertified('uk')}`,
  );
  if (!night?.date) throw new NothingFound('No night is certified in both regions yet: crawl both, then compare.');
  return night.date;
}

const isCertified = (run: string): string =>
  `${run}.status = 'published' and ${run}.verdict in ('complete', 'complete_within_tolerance')`;

async function isNight(db: Askable, date: string): Promise<boolean> {
  const nights = await rowsOf(db, `select from ops.run r where snapshot_date = $1 and ${isCertified('r')} limit 1`, [
    date,
  ]);
  return nights.length > 0;
}

/** By the rule of marts.fct_region_gap. */
async function isRateKnown(db: Askable, date: string): Promise<boolean> {
  const rates = await rowsOf(
    db,
    `select from marts.fx_rate
     where base = 'EUR' and quote = 'GBP' and on_date between $1::date - 7 and $1::date limit 1`,
    [date],
  );
  return rates.length > 0;
}
