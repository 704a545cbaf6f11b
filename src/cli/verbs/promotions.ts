import { compose } from '../../compose.ts';
import { type PromotionKind, promotionKinds, type RegionCode, regionCodes } from '../../model/index.ts';
import { using } from '../closing.ts';
import { defineVerb } from '../define-verb.ts';
import { findCategories } from '../find-categories.ts';
import { sayNightsOwed } from '../nights-owed.ts';
import { checkOrder, oneOf, readDate, readRegion } from '../option-values.ts';
import { amount } from '../output/amounts.ts';
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
  readonly kind?: PromotionKind;
  readonly check?: string;
  readonly product?: string;
}

const outcomes = ['pass', 'fail', 'not_enough_nights'] as const;

/** Columns and the mart that has them. */
const columns = {
  region: 'c',
  snapshot_date: 'c',
  product_id: 'c',
  title: 'd',
  description: 'c',
  kind: 'c',
  shelf_price: 'c',
  loyalty_price: 'p',
  reduced_price: 'c',
  reference_price: 'c',
  depth_pct: 'p',
  effective_quantity: 'p',
  effective_price: 'p',
  prior_30_day_price: 'p',
  prior_price: 'c',
  real_pct: 'c',
  prior_price_check: 'c',
  prior_price_reason: 'c',
  usual_price: 'c',
  usual_price_check: 'c',
  usual_price_reason: 'c',
  after_check: 'c',
  currency: 'c',
  began_on: 'c',
  ended_on: 'c',
} as const;

const table: TableColumns = {
  night: (row) => row['snapshot_date'],
  region: (row) => row['region'],
  product_id: (row) => row['product_id'],
  title: (row) => row['title'],
  promotion: (row) => row['description'],
  shelf: (row) => amount(row['shelf_price'], row['currency']),
  below: (row) => (row['depth_pct'] === null ? null : `${row['depth_pct']} %`),
  prior: (row) => amount(row['prior_price'], row['currency']),
  check: (row) => row['prior_price_check'] ?? row['prior_price_reason'],
};

export const promotions = defineVerb<Options>({
  declare(command) {
    command
      .option('--region <region>', 'uk or ie (default: both)', readRegion)
      .option('--since <date>', 'YYYY-MM-DD; that began with this night or a later one (default: all)', readDate)
      .option('--until <date>', 'YYYY-MM-DD; that began by this night', readDate)
      .option('--category <name>', 'of products that were in it, or below it: its name, path or id')
      .option('--kind <kind>', `of this kind: ${promotionKinds.join(', ')}`, oneOf(promotionKinds))
      .option('--check <outcome>', `whose prior price says so: ${outcomes.join(', ')}`, oneOf(outcomes))
      .option('--product <id>', `of this product only: ${productForms}`);
    declareLimitAndFormats(command);
  },

  run(options, { config, clock, log, console }) {
    const { since = null, until = null, category = null, kind = null, check = null } = options;
    const { product, region } = readProductOption(options.product, options.region ?? null);
    checkOrder(options, 'night');
    return using(compose(config, { clock, log, name: 'promotions' }), async ({ db }) => {
      const categoryKeys = category === null ? null : await findCategories(db, region, category);
      const written = await writeRows(console, formatOf(options), {
        columns: Object.keys(columns),
        table,
        head: { region, since, until, category, kind, check, product },
        batches: readBatches(db, statement, [
          region,
          since,
          until,
          kind,
          check,
          product,
          categoryKeys,
          limitOf(options),
        ]),
      });
      const isOwed = await sayNightsOwed(db, console, region === null ? regionCodes : [region]);
      if (written === 0) {
        const unknown = product === null ? null : await unknownProduct(db, region, product);
        if (unknown !== null || !isOwed) console.say(unknown ?? noneOf(kind, check));
      }
      sayIfCut(console, options, written);
    });
  },
});

/** With a filter that only some promotions pass, others may have begun there. */
function noneOf(kind: PromotionKind | null, check: string | null): string {
  if (kind === null && check === null) return 'No promotion began there on a certified night.';
  const wanted = [kind && `--kind ${kind}`, check && `--check ${check}`].filter(Boolean).join(' and ');
  return `No promotion of ${wanted} began there on a certified night; others may have.`;
}

const statement = `
  select ${Object.entries(columns)
    .map(([name, mart]) => `${mart}.${name}`)
    .join(', ')}
  from marts.fct_promotion_check c
  join marts.fct_promotion p
    on p.product_key = c.product_key and p.promotion_key = c.promotion_key and p.seen_from = c.seen_from
  join marts.dim_product d on d.product_key = c.product_key
  where ($1::text is null or c.region = $1)
    and ($2::date is null or c.snapshot_date >= $2)
    and ($3::date is null or c.snapshot_date <= $3)
    and ($4::text is null or c.kind = $4)
    and ($5::text is null or c.prior_price_check = $5)
    and ($6::text is null or c.product_id = $6)
    and ($7::int[] is null or exists (
      select from marts.bridge_product_category b
      where b.product_key = c.product_key and b.category_key = any ($7)
        and b.valid_from <= c.seen_from and (b.valid_to is null or b.valid_to > c.seen_from)))
  order by c.snapshot_date desc, c.region, c.product_id, c.promotion_key limit $8`;
