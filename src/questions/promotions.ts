import { promotionKinds } from '../base/model/index.ts';
import { lastDerived } from './certified.ts';
import { fields, lookedUp } from './columns.ts';
import {
  categoryAbout,
  choice,
  dateAbout,
  orderOf,
  ProductParameter,
  RegionParameter,
  sinceNights,
  wasIn,
} from './parameters.ts';
import { defineQuestion } from './question.ts';
import { allOf, sql } from './sql.ts';

export const orders = {
  newest: { name: 'newest first', by: sql`snapshot_date desc` },
  deepest: { name: 'largest announced saving first', by: sql`stated_percent desc nulls last` },
  most: { name: 'largest real saving first', by: sql`real_pct desc nulls last` },
  gap: { name: 'largest difference from what it says first', by: sql`gap_pct desc nulls last` },
} as const;

const verdicts = {
  real: sql`verdict_label = 'real'`,
  'not-real': sql`verdict_label in ('overstated', 'no reduction')`,
  overstated: sql`verdict_label = 'overstated'`,
  'no-reduction': sql`verdict_label = 'no reduction'`,
  'too-early': sql`verdict_label = 'too early to tell'`,
  'nights-missing': sql`prior_price_reason = 'nights_missing'`,
  none: sql`prior_price_check is null`,
} as const;

/** The verdicts of which a share is real: without all nights before it, an offer can fail but not be real. */
export const fairVerdict = sql`case when has_all_nights then verdict_label end`;

/** Nights of the promotions shown by default. */
export const usualNights = 31;

export const promotions = defineQuestion({
  name: 'promotions',
  about: 'promotions and whether they are reductions',
  parameters: {
    region: RegionParameter,
    since: sinceNights(usualNights, 'only promotions that began on this night or later').meta({ label: 'Began since' }),
    until: dateAbout('only promotions that began by this night (default: all)'),
    category: categoryAbout('only products in this category or below it at that time'),
    kind: choice(promotionKinds, 'only promotions of this kind'),
    verdict: choice(
      ['real', 'not-real', 'overstated', 'no-reduction', 'too-early', 'nights-missing', 'none'],
      'with this verdict; not-real is overstated or no reduction, none where nothing can be checked',
    ).meta({ label: 'Verdict' }),
    product: ProductParameter,
    running: choice(['yes', 'no'], 'whether it still is in effect, of a product that is for sale').meta({
      label: 'Still running',
    }),
    sort: orderOf(orders),
  },
  columns: [
    ...fields('region'),
    { name: 'snapshot_date', heading: 'First night', as: 'date' },
    ...lookedUp('n', ...fields('product_id', 'title')),
    ...lookedUp('p', ...fields('description', 'kind')),
    { name: 'shelf_price', heading: 'Shelf', as: 'money' },
    ...lookedUp('p', ...fields('loyalty_price')),
    { name: 'reduced_price', heading: 'Reduced', as: 'money' },
    { name: 'reference_price', heading: 'Reference', as: 'money' },
    ...lookedUp('p', { name: 'effective_quantity', as: 'number' }, ...fields('effective_price')),
    { name: 'prior_price', heading: 'Prior', as: 'money' },
    { name: 'compared_price', heading: 'Lowest before', as: 'money' },
    { name: 'stated_percent', heading: 'Stated', as: 'saving' },
    { name: 'real_pct', heading: 'Real', as: 'saving' },
    { name: 'verdict_label', heading: 'Verdict', or: 'prior_price_reason' },
    { name: 'prior_member_price', heading: 'Prior, members', as: 'money' },
    { name: 'member_price_check', heading: 'Was it one for members?' },
    { name: 'prior_price_check', heading: 'Was it a reduction?', as: 'sentence', or: 'prior_price_reason' },
    ...fields('prior_price_reason', 'currency', 'began_on'),
    ...lookedUp('p', { name: 'ended_on', heading: 'Until before', as: 'date' }),
    { name: 'announced_pct', heading: 'Against the reference price', as: 'saving' },
    ...fields('basis'),
    { name: 'prior_nights_known', heading: 'Nights known', as: 'number' },
    { name: 'prior_nights_needed', as: 'number' },
    { name: 'has_all_nights', as: 'yes-no' },
    ...fields('series_began_on', 'product_key', 'promotion_key'),
    ...lookedUp(
      'n',
      ...fields('availability'),
      { name: 'unit_price', heading: 'Per unit now', as: 'money' },
      ...fields('unit_of_measure'),
    ),
  ],
  key: ['region', 'product_id', 'promotion_key', 'snapshot_date'],
  table: () => [
    ...(['region', 'product_id', 'title', 'description', 'verdict_label', 'real_pct'] as const),
    ...(['stated_percent', 'compared_price', 'shelf_price', 'snapshot_date'] as const),
  ],
  isDerived: true,
  // A page needs the ends of few offers: they are looked up one by one in the order of the list.
  rows: ({ region, since, until, categoryKeys, kind, verdict, product, running, sort }, { limit }) => {
    const isRunning = sql`(ended_on is null or ended_on > ${lastDerived(region)}) = ${running === 'yes'}`;
    const isPage = running !== undefined && limit !== null;
    const inOrder = sql`(
      select ${isRunning} from marts.fct_promotion_check
      where (product_key, promotion_key, seen_from) = (begun.product_key, begun.promotion_key, begun.seen_from))`;
    return sql`
    select * from (
      select *, stated_percent - real_pct as gap_pct from marts.fct_promotion_check
      where ${allOf(
        sql`region = ${region}`,
        // A product's promotions are few, and all are wanted.
        (since ?? product === undefined) &&
          sql`snapshot_date >= ${since ?? sql`${lastDerived(region)} - ${usualNights - 1}::int`}`,
        until && sql`snapshot_date <= ${until}`,
        kind && sql`kind = ${kind}`,
        verdict && verdicts[verdict],
        product && sql`product_id = ${product}`,
        running && !isPage && isRunning,
        categoryKeys && wasIn(categoryKeys, sql`fct_promotion_check.product_key`, sql`seen_from`),
      )}${isPage ? sql`\n      order by ${orders[sort].by}, product_key, promotion_key offset 0` : sql``}
    ) as begun
    where ${allOf(
      isPage && inOrder,
      running === 'yes' &&
        sql`(select is_for_sale from marts.product_now where product_key = begun.product_key offset 0)`,
    )}`;
  },
  order: ({ sort }) => sql`${orders[sort].by}, product_key, promotion_key`,
  // "offset 0" has them looked up for these rows alone.
  lookUp: () => sql`
    cross join lateral (
      select product_id, title, availability, unit_price, unit_of_measure
      from marts.product_now where product_key = asked.product_key offset 0
    ) as n
    cross join lateral (
      select p.description, p.kind, p.loyalty_price, p.effective_quantity, p.effective_price, c.ended_on
      from marts.fct_promotion_check c
      join marts.fct_promotion p using (product_key, promotion_key, seen_from)
      where (product_key, promotion_key, seen_from) = (asked.product_key, asked.promotion_key, asked.seen_from) offset 0
    ) as p`,
  notes: async ({ since, product }) =>
    (since ?? product) ? [] : [`They began in the last ${usualNights} nights; --since DATE shows older ones as well.`],
  none: ({ kind, verdict }) =>
    `No matching promotion began on a certified night${kind || verdict ? '; others of another kind may have' : ''}.`,
});
