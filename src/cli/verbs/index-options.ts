import { Option } from 'commander';
import { compose } from '../../app/compose.ts';
import { NothingFound } from '../../base/errors.ts';
import type { RegionCode } from '../../base/model/index.ts';
import type { PriceBasis } from '../../followers/derive/price-index/panel.ts';
import type { Period } from '../../followers/derive/price-index/period.ts';
import { findCategories } from '../../questions/find-categories.ts';
import { computeIndexOptions, type IndexOptions } from '../../questions/index-options.ts';
import { using } from '../closing.ts';
import { defineVerb } from '../define-verb.ts';
import { readRegion, wholeNumber } from '../option-values.ts';
import { declareFormats, type FormatOptions, formatOf, writeRows } from '../output/rows.ts';

interface Options extends FormatOptions {
  readonly region: RegionCode;
  readonly category?: string;
  readonly period: Period;
  readonly basis: PriceBasis;
  readonly window: number;
}

export const indexOptions = defineVerb<Options>({
  declare(command) {
    command
      .option('--region <region>', 'uk or ie', readRegion, 'uk')
      .option('--category <category>', 'only this category: its name, path or id (default: the whole region)')
      .addOption(new Option('--period <period>', 'periods').choices(['month', 'week', 'day']).default('month'))
      .addOption(
        new Option('--basis <basis>', 'prices')
          .choices(['shelf_adjusted', 'member_adjusted', 'shelf', 'member'])
          .default('shelf_adjusted'),
      )
      .option('--window <periods>', 'periods of a rolling window, 3 to 25', wholeNumber(3, 25), 13);
    declareFormats(command);
  },

  run({ region, category, period, basis, window, ...given }, { config, clock, log, console }) {
    return using(compose(config, { clock, log, name: 'index-options' }), async ({ db }) => {
      const keys =
        category === undefined ? [null] : await findCategories((s) => db.query(s.text, s.asked), region, category);
      if (keys.length > 1)
        throw new NothingFound(
          `${keys.length} categories of ${region} are called "${category}"; give the path of one.`,
        );
      const wanted = { region, categoryKey: keys[0]!, period, basis, window };
      const computed = await db.tx((tx) => computeIndexOptions(tx, wanted), { readOnly: true });
      const format = formatOf(given);
      await writeRows(console, format, {
        columns: ['option', 'period_start', 'value'],
        head: { region, category: category ?? null, period, basis, window },
        ...(format === 'table' ? { table, batches: [summary(computed)] } : { batches: [rowsOf(computed)] }),
      });
      for (const line of notes(computed)) console.say(line);
    });
  },
});

const table = {
  option: (row: Row) => row['option'],
  change: (row: Row) => row['change'],
  'against published': (row: Row) => row['difference'],
  largest: (row: Row) => row['largest'],
};

type Row = Readonly<Record<string, unknown>>;

/** One row per option: its change over all periods, and how far it is from the published values. */
function summary({ series }: IndexOptions): Row[] {
  const published = series[0]!.values;
  return series.map(({ option, values }) => {
    const differences = values.map((value, t) => minus(value, published[t]!));
    const known = differences.flatMap((difference) => (difference === null ? [] : [Math.abs(difference)]));
    return {
      option,
      change: signed(minus(values.at(-1)!, 100), ' %'),
      difference: signed(differences.at(-1)!),
      largest: known.length === 0 ? null : Math.max(...known).toFixed(3),
    };
  });
}

const rowsOf = ({ periods, series }: IndexOptions): Row[] =>
  series.flatMap(({ option, values }) =>
    values.map((value, t) => ({ option, period_start: periods[t]!, value: value === null ? null : value.toFixed(6) })),
  );

function* notes({ periods, products, matched, standardErrorPercent }: IndexOptions): Generator<string> {
  const span = `${periods[0]} to ${periods.at(-1)}: ${periods.length} periods`;
  yield `${span}, ${products.at(-1)} products with a price in the last one.`;
  if (standardErrorPercent === null) return;
  const error = `the standard error of their mean change is ${standardErrorPercent.toFixed(2)} %`;
  yield `${matched} products have a price in the first and in the last; ${error}.`;
}

const minus = (a: number | null, b: number | null): number | null => (a === null || b === null ? null : a - b);

function signed(value: number | null, unit = ''): string | null {
  return value === null ? null : `${value < 0 ? '-' : '+'}${Math.abs(value).toFixed(3)}${unit}`;
}
