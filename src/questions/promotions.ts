import { promotionKinds, type RegionCode } from '../base/model/index.ts';
import { lastDerived } from './certified.ts';
import { categoryAbout, choice, dateAbout, EitherRegion, oneOf, ProductParameter } from './parameters.ts';
import { cut, defineQuestion, fields } from './question.ts';
import { allOf, type Sql, sql } from './sql.ts';

export const orders = {
  newest: sql`snapshot_date desc, product_key, promotion_key`,
  deepest: sql`stated_percent desc nulls last, product_key, promotion_key`,
  least: sql`real_pct nulls last, product_key, promotion_key`,
  gap: sql`stated_percent - real_pct desc nulls last, product_key, promotion_key`,
} as const;

/** Words for the verdicts of fct_promotion_check. */
export const verdictLabels = {
  real: ['real'],
  'not-real': ['overstated', 'no reduction'],
  overstated: ['overstated'],
  'no-reduction': ['no reduction'],
  'too-early': ['too early to tell'],
} as const;

/** Condition: in effect on the last certified night. */
export const isRunning = (region: RegionCode | Sql): Sql =>
  sql`(ended_on is null or ended_on > ${lastDerived(region)})`;

export const promotions = defineQuestion({
  parameters: {
    region: EitherRegion,
    since: dateAbout('only promotions that began on this night or later (default: all)'),
    until: dateAbout('only promotions that began by this night (default: all)'),
    category: categoryAbout('only products in this category or below it at that time'),
    kind: choice(promotionKinds, 'only promotions of this kind'),
    verdict: choice(
      ['real', 'not-real', 'overstated', 'no-reduction', 'too-early', 'none'],
      'with this verdict; not-real is overstated or no reduction, none where nothing can be checked',
    ),
    check: choice(
      ['pass', 'fail', 'not_enough_nights', 'none'],
      'with this result of the check of the prior price, none where nothing can be checked',
    ),
    product: ProductParameter,
    running: choice(['yes', 'no'], 'whether the promotion is in effect on the last certified night'),
    sort: oneOf(
      ['newest', 'deepest', 'least', 'gap'],
      'order: newest, largest announced reduction, smallest real reduction, or largest difference of both first',
    ),
  },
  columns: [
    ...fields('region'),
    { name: 'snapshot_date', heading: 'First night', as: 'date' },
    ...fields('product_id', 'title', 'description', 'kind'),
    { name: 'shelf_price', heading: 'Shelf', as: 'money' },
    ...fields('loyalty_price'),
    { name: 'reduced_price', heading: 'Reduced', as: 'money' },
    { name: 'reference_price', heading: 'Reference', as: 'money' },
    { name: 'depth_pct', heading: 'Depth, %', as: 'decimal' },
    { name: 'effective_quantity', as: 'number' },
    ...fields('effective_price', 'prior_30_day_price'),
    { name: 'prior_price', heading: 'Prior', as: 'money' },
    { name: 'compared_price', heading: 'Lowest before', as: 'money' },
    { name: 'stated_percent', heading: 'Stated', as: 'percent' },
    { name: 'real_pct', heading: 'Real', as: 'percent' },
    { name: 'verdict_label', heading: 'Verdict', or: 'prior_price_reason' },
    { name: 'prior_member_price', heading: 'Prior, members', as: 'money' },
    { name: 'member_price_check', heading: 'Was it one for members?' },
    { name: 'prior_price_check', heading: 'Was it a reduction?', as: 'sentence', or: 'prior_price_reason' },
    ...fields('prior_price_reason', 'usual_price'),
    { name: 'usual_price_check', heading: 'Usual price' },
    ...fields('usual_price_reason', 'after_check', 'currency', 'began_on'),
    { name: 'ended_on', heading: 'Until before', as: 'date' },
    { name: 'announced_pct', heading: 'Off the reference price', as: 'percent' },
    ...fields('basis'),
    { name: 'prior_nights_known', heading: 'Nights known', as: 'number' },
    { name: 'prior_nights_needed', as: 'number' },
    ...fields('series_began_on', 'product_key', 'promotion_key', 'availability'),
    { name: 'unit_price', heading: 'Per unit now', as: 'money' },
    ...fields('unit_of_measure'),
  ],
  table: () => [
    ...['snapshot_date', 'region', 'product_id', 'title', 'description', 'shelf_price', 'compared_price'],
    ...['stated_percent', 'real_pct', 'verdict_label'],
  ],
  isDerived: true,
  sql: ({ region, since, until, categoryKeys, kind, verdict, check, product, running, sort }, part) => sql`
    select
      c.region, c.snapshot_date, c.product_id, n.title, c.description, c.kind, c.shelf_price,
      c.reduced_price, c.reference_price, c.prior_price, c.compared_price, c.stated_percent, c.real_pct,
      c.verdict_label, c.prior_member_price, c.member_price_check, c.prior_price_check, c.prior_price_reason,
      c.usual_price, c.usual_price_check, c.usual_price_reason, c.after_check, c.currency, c.began_on, c.ended_on,
      c.announced_pct, c.basis, c.prior_nights_known, c.prior_nights_needed, c.series_began_on, c.product_key,
      c.promotion_key, n.availability, n.unit_price, n.unit_of_measure${part.isShort ? sql`` : sql`, p.*`}
    from (
      select product_key, promotion_key, seen_from
      from marts.fct_promotion_check begun${
        // A join, because the planner estimates 200 rows for `in (select …)` with any category.
        part.among ? sql` join ${part.among} as chosen using (product_key)` : sql``
      }
      where ${allOf(
        region && sql`region = ${region}`,
        since && sql`snapshot_date >= ${since}`,
        until && sql`snapshot_date <= ${until}`,
        kind && sql`kind = ${kind}`,
        verdict &&
          (verdict === 'none'
            ? sql`verdict_label is null`
            : sql`verdict_label = any (${[...verdictLabels[verdict]]}::text[])`),
        check && (check === 'none' ? sql`prior_price_check is null` : sql`prior_price_check = ${check}`),
        product && sql`product_id = ${product}`,
        running === 'yes' && isRunning(region ?? sql`begun.region`),
        running === 'no' && sql`not ${isRunning(region ?? sql`begun.region`)}`,
        categoryKeys &&
          sql`exists (
          select from marts.bridge_product_category b
          where b.product_key = begun.product_key and b.category_key = any (${categoryKeys}::int[])
            and b.valid_from <= begun.seen_from and (b.valid_to is null or b.valid_to > begun.seen_from))`,
      )}
      order by ${orders[sort]}
      ${cut(part)}
    ) as found
    join marts.fct_promotion_check c using (product_key, promotion_key, seen_from)
    -- "offset 0" has them looked up for these rows alone.
    cross join lateral (select * from marts.product_now where product_key = c.product_key offset 0) as n${
      part.isShort
        ? sql``
        : sql`
    cross join lateral (
      select loyalty_price, depth_pct, effective_quantity, effective_price, prior_30_day_price
      from marts.fct_promotion
      where product_key = c.product_key and promotion_key = c.promotion_key and seen_from = c.seen_from
      offset 0
    ) as p`
    }
    order by ${orders[sort]}`,
  none: ({ kind, verdict, check }) => {
    if (!(kind ?? verdict ?? check)) return 'No matching promotion began on a certified night.';
    const wanted = [kind && `--kind ${kind}`, verdict && `--verdict ${verdict}`, check && `--check ${check}`]
      .filter(Boolean)
      .join(' and ');
    return `No matching promotion with ${wanted} began on a certified night; others may have.`;
  },
});
