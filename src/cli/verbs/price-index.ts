import { compose } from '../../compose.ts';
import { type RegionCode, regionCodes } from '../../model/index.ts';
import { using } from '../closing.ts';
import { defineVerb } from '../define-verb.ts';
import { findCategories } from '../find-categories.ts';
import { sayNightsOwed } from '../nights-owed.ts';
import { addRegion, checkOrder, oneOf, readDate } from '../option-values.ts';
import { readBatches } from '../output/read-batches.ts';
import { declareFormats, type FormatOptions, formatOf, type TableColumns, writeRows } from '../output/rows.ts';
import { sparkline } from '../output/sparkline.ts';

interface Options extends FormatOptions {
  readonly region?: readonly RegionCode[];
  readonly category?: string;
  readonly period: string;
  readonly method: string;
  readonly basis: string;
  readonly since?: string;
  readonly until?: string;
}

const periods = ['day', 'week', 'month'] as const;
const methods = ['geks_jevons', 'jevons_chained', 'jevons_fixed', 'mean_price', 'all'] as const;
const priceBases = ['shelf', 'member'] as const;

const columns = [
  'region',
  'category_path',
  'period',
  'period_start',
  'method',
  'price_basis',
  'base_start',
  'value',
  'change_pct',
  'matched_products',
  'outliers',
  'arrivals',
  'departures',
] as const;

const table: TableColumns = {
  region: (row) => row['region'],
  category: (row) => row['category_path'],
  from: (row) => row['period_start'],
  method: (row) => row['method'],
  index: (row) => (row['value'] === null ? null : Number(row['value']).toFixed(2)),
  change: (row) =>
    row['change_pct'] === null ? null : `${Number(row['change_pct']) < 0 ? '' : '+'}${row['change_pct']} %`,
  products: (row) => row['matched_products'],
  arrived: (row) => row['arrivals'],
  departed: (row) => row['departures'],
};

export const priceIndex = defineVerb<Options>({
  declare(command) {
    command
      .option('--region <region>', 'uk or ie; may be repeated (default: both)', addRegion)
      .option('--category <name>', 'of this category: its name, path or id (default: the whole region)')
      .option('--period <period>', `by ${periods.join(', ')}`, oneOf(periods), 'day')
      .option('--method <method>', methods.join(', '), oneOf(methods), 'geks_jevons')
      .option('--basis <basis>', 'shelf prices, or what members pay: shelf, member', oneOf(priceBases), 'shelf')
      .option('--since <date>', 'YYYY-MM-DD; periods that begin on it or later (default: all)', readDate)
      .option('--until <date>', 'YYYY-MM-DD; periods that begin by it', readDate);
    declareFormats(command);
  },

  run(options, { config, clock, log, console }) {
    const { region: regions = regionCodes, category = null, period, method, basis } = options;
    const { since = null, until = null } = options;
    checkOrder(options, 'period');
    const format = formatOf(options);
    return using(compose(config, { clock, log, name: 'index' }), async ({ db }) => {
      const [only = null] = regions.length === 1 ? regions : [];
      const categoryKeys = category === null ? null : await findCategories(db, only, category);
      const batches = readBatches(db, statement(categoryKeys !== null), [
        regions,
        period,
        method,
        basis,
        since,
        until,
        ...(categoryKeys === null ? [] : [categoryKeys]),
      ]);
      const lines: Lines = new Map();
      const written = await writeRows(console, format, {
        columns,
        table,
        head: { regions, category, period, method, basis, since, until },
        batches: format === 'table' ? drawn(batches, lines) : batches,
      });
      const isOwed = await sayNightsOwed(db, console, regions);
      if (written === 0 && !isOwed)
        console.say(`There is no index of that yet: it begins with the first certified night.`);
      for (const [what, series] of lines)
        for (const [since, values] of series)
          if (values.length > 2) console.say(`${what}${series.size > 1 ? ` since ${since}` : ''} ${sparkline(values)}`);
    });
  },
});

type Row = Readonly<Record<string, unknown>>;

/** Values of what an index is of, by the base period they refer to: those of two bases are not drawn as one line. */
type Lines = Map<string, Map<unknown, (number | null)[]>>;

/** Passes rows on, and keeps each series for a line of bars. */
async function* drawn(batches: AsyncIterable<readonly Row[]>, lines: Lines): AsyncIterable<readonly Row[]> {
  for await (const batch of batches) {
    for (const row of batch) {
      const what = [row['region'], row['category_path'], row['method']].filter(Boolean).join(' ');
      const series = lines.get(what) ?? new Map<unknown, (number | null)[]>();
      lines.set(what, series);
      const values = series.get(row['base_start']) ?? [];
      series.set(row['base_start'], values);
      values.push(row['value'] === null ? null : Number(row['value']));
    }
    yield batch;
  }
}

/**
 * A category is asked for by its key and the region by its absence: only then does the filter reach the rows. The first period that is
 * shown has a change, too, where there is one before it.
 */
const statement = (isCategory: boolean): string => `
  select *
  from (
    select region, category_path, period, period_start, method, price_basis, base_start, value,
      round(100 * (value / lag(value) over (partition by region, category_key, method, base_start order by period_start) - 1), 2) as change_pct,
      matched_products, outliers, arrivals, departures
    from marts.price_index
    where region = any ($1) and period = $2 and ($3 = 'all' or method = $3) and price_basis = $4
      and ${isCategory ? 'category_key = any ($7::int[])' : 'category_key is null'}) as line
  where ($5::date is null or period_start >= $5) and ($6::date is null or period_start <= $6)
  order by region, category_path nulls first, method, period_start`;
