import { compose } from '../../compose.ts';
import { rowsOf } from '../../db/rows.ts';
import type { RegionCode } from '../../model/index.ts';
import { using } from '../closing.ts';
import { defineVerb } from '../define-verb.ts';
import { readDate, readRegion } from '../option-values.ts';
import { amount, unitAmount } from '../output/amounts.ts';
import { readBatches } from '../output/read-batches.ts';
import {
  declareLimitAndFormats,
  formatOf,
  type LimitOptions,
  limitOf,
  type TableColumns,
  writeRows,
} from '../output/rows.ts';
import { productForms, readProductOption, unknownProduct } from '../product/product-option.ts';

interface Options extends LimitOptions {
  readonly region: RegionCode;
  readonly date?: string;
  readonly product?: string;
}

const columns = [
  'region',
  'snapshot_date',
  'product_id',
  'product_key',
  'title',
  'price',
  'currency',
  'unit_price',
  'unit_of_measure',
  'loyalty_price',
  'availability',
  'on_promotion',
] as const;

/** Region and night are the same in every row. */
const table: TableColumns = {
  product_id: (row) => row['product_id'],
  title: (row) => row['title'],
  price: (row) => amount(row['price'], row['currency']),
  members: (row) => amount(row['loyalty_price'], row['currency']),
  'per unit': (row) => unitAmount(row['unit_price'], row['unit_of_measure'], row['currency']),
  stock: (row) => row['availability'],
};

export const asof = defineVerb<Options>({
  declare(command) {
    command
      .requiredOption('--region <region>', 'uk or ie', readRegion)
      .option('--date <date>', 'YYYY-MM-DD; the last night up to it answers (default: the last night)', readDate)
      .option('--product <id>', `this product only: ${productForms}`);
    declareLimitAndFormats(command);
  },

  run(options, { config, clock, log, console }) {
    const { region, date = null } = options;
    const { product } = readProductOption(options.product, region);
    const format = formatOf(options);
    return using(compose(config, { clock, log, name: 'asof' }), async ({ db }) => {
      const [night] = await rowsOf<{ found: string; listed: number | null }>(
        db,
        `select snapshot_date as found, products_listed as listed from marts.snapshot
         where region = $1 and ($2::date is null or snapshot_date <= $2) order by snapshot_date desc limit 1`,
        [region, date],
      );
      if (!night) console.say(`There is no night of ${region}${date === null ? ' yet' : ` up to ${date}`}.`);
      else if (date !== null && night.found !== date)
        console.say(`No night of ${region} on ${date}; the night of ${night.found} answers.`);

      const isCut = format === 'table' && options.limit === undefined && product === null;
      const written = await writeRows(console, format, {
        columns,
        table,
        head: { region, date: date ?? night?.found ?? null, snapshot_date: night?.found ?? null },
        batches: readBatches(
          db,
          `select ${columns.join(', ')} from marts.as_of($1, $2)
           where $3::text is null or product_id = $3 order by product_id limit $4`,
          [region, night?.found ?? null, product, limitOf(options)],
        ),
      });
      if (night && product !== null && written === 0)
        console.say((await unknownProduct(db, region, product)) ?? `Product ${product} was not listed that night.`);
      if (written > 0 && format === 'table') console.say(`${region}, night of ${night!.found}.`);
      const more = (night?.listed ?? 0) - written;
      if (isCut && more > 0) console.say(`…and ${more} more: --limit N shows more, --csv and --json show all.`);
    });
  },
});
