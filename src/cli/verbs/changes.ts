import { compose } from '../../compose.ts';
import type { RegionCode } from '../../model/index.ts';
import { using } from '../closing.ts';
import { defineVerb } from '../define-verb.ts';
import { findCategories } from '../find-categories.ts';
import { checkOrder, readDate, readNumber, readRegion } from '../option-values.ts';
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
import { productForms, readProductOption, unknownProduct } from '../product/product-option.ts';

interface Options extends LimitOptions {
  readonly region?: RegionCode;
  readonly since?: string;
  readonly until?: string;
  readonly category?: string;
  readonly minPct?: number;
  readonly product?: string;
}

const columns = [
  'region',
  'snapshot_date',
  'product_id',
  'title',
  'old_price',
  'new_price',
  'currency',
  'change_pct',
  'changed_at',
] as const;

const table: TableColumns = {
  night: (row) => row['snapshot_date'],
  region: (row) => row['region'],
  product_id: (row) => row['product_id'],
  title: (row) => row['title'],
  old: (row) => amount(row['old_price'], row['currency']),
  new: (row) => amount(row['new_price'], row['currency']),
  change: (row) => share(row['change_pct']),
};

export const changes = defineVerb<Options>({
  declare(command) {
    command
      .option('--region <region>', 'uk or ie (default: both)', readRegion)
      .option('--since <date>', 'YYYY-MM-DD; from this night on (default: all nights)', readDate)
      .option('--until <date>', 'YYYY-MM-DD; up to this night', readDate)
      .option('--category <name>', 'of products that were in it, or below it: its name, path or id')
      .option('--min-pct <n>', 'of at least so many percent, up or down', readNumber)
      .option('--product <id>', `of this product only: ${productForms}`);
    declareLimitAndFormats(command);
  },

  run(options, { config, clock, log, console }) {
    const { since = null, until = null, category = null, minPct = null } = options;
    const { product, region } = readProductOption(options.product, options.region ?? null);
    checkOrder(options, 'night');
    return using(compose(config, { clock, log, name: 'changes' }), async ({ db }) => {
      const categoryKeys = category === null ? null : await findCategories(db, region, category);
      const written = await writeRows(console, formatOf(options), {
        columns,
        table,
        head: { region, since, until, category, min_pct: minPct, product },
        batches: readBatches(
          db,
          `select ${columns.map((name) => (name === 'title' ? 'p.title' : `c.${name}`)).join(', ')}
           from marts.fct_price_change c
           join marts.dim_product p on p.region = c.region and p.product_id = c.product_id
           where ($1::text is null or c.region = $1)
             and ($2::date is null or c.snapshot_date >= $2)
             and ($3::date is null or c.snapshot_date <= $3)
             and ($4::numeric is null or abs(c.change_pct) >= $4)
             and ($5::text is null or c.product_id = $5)
             and ($6::int[] is null or exists (
               select from marts.bridge_product_category b
               where b.product_key = p.product_key and b.category_key = any ($6)
                 and b.valid_from <= c.changed_at and (b.valid_to is null or b.valid_to > c.changed_at)))
           order by c.changed_at desc, c.region, c.product_id limit $7`,
          [region, since, until, minPct, product, categoryKeys, limitOf(options)],
        ),
      });
      if (written === 0) {
        const unknown = product === null ? null : await unknownProduct(db, region, product);
        console.say(unknown ?? (isNarrowed(options) ? 'No price has changed there.' : 'No price has changed.'));
      }
      sayIfCut(console, options, written);
    });
  },
});

const isNarrowed = ({ region, since, until, category, minPct, product }: Options): boolean =>
  [region, since, until, category, minPct, product].some((each) => each !== undefined);
