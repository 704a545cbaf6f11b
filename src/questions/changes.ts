import { fields, lookedUp } from './columns.ts';
import { amount, categoryAbout, EitherRegion, ProductParameter, Since, Until, wasIn, within } from './parameters.ts';
import { defineQuestion } from './question.ts';
import { allOf, sql } from './sql.ts';

export const changes = defineQuestion({
  name: 'changes',
  about: 'price changes, newest first',
  parameters: {
    region: EitherRegion,
    since: Since,
    until: Until,
    category: categoryAbout('only products in this category or below it at that time'),
    min_pct: amount('must be a number, such as 5 or 0.5').meta({
      description: 'only changes of at least this percentage, up or down',
      label: 'By at least, %',
    }),
    product: ProductParameter,
    below: amount().meta({
      description: 'only falls to this price or less, from above it',
      label: 'Fell to this or less',
    }),
  },
  columns: [
    ...fields('region', 'snapshot_date', 'product_id'),
    ...lookedUp('p', ...fields('title')),
    { name: 'old_price', heading: 'Old', as: 'money' },
    { name: 'new_price', heading: 'New', as: 'money' },
    ...fields('currency'),
    { name: 'change_pct', heading: 'Change', as: 'percent' },
    ...fields('changed_at', 'product_key'),
  ],
  table: () => ['snapshot_date', 'region', 'product_id', 'title', 'old_price', 'new_price', 'change_pct'],
  key: ['snapshot_date', 'changed_at', 'region', 'product_id'],
  isWalkedByKey: true,
  pin: (parameters, nights) => ({ ...parameters, nights: JSON.stringify(nights) }),
  rows({ region, since, until, min_pct, product, below, categoryKeys, nights: pinned }, { after, limit }) {
    const nights = allOf(
      within(sql`snapshot_date`, { since, until }),
      after && sql`snapshot_date <= ${after['snapshot_date']}`,
    );
    // Night by night, sorted by the date of the list, so that a page of years needs the changes of few nights.
    const isPage = limit !== null && product === undefined;
    const changed = isPage
      ? sql`(select distinct snapshot_date from marts.snapshot where ${nights} order by snapshot_date desc offset 0)
      as night
    cross join lateral (
      select * from marts.fct_price_change one where one.snapshot_date = night.snapshot_date offset 0
    ) as c`
      : sql`marts.fct_price_change c`;
    return sql`
    select c.*, ${isPage ? sql`night.snapshot_date` : sql`c.snapshot_date`} as of_night from ${changed}
    where ${allOf(
      !isPage && nights,
      region && sql`c.region = ${region}`,
      pinned !== undefined && sql`c.snapshot_date <= (${pinned}::jsonb ->> c.region)::date`,
      // Dates descend, so their sides are exchanged.
      after &&
        sql`(${after['snapshot_date']}::date, ${after['changed_at']}::timestamptz, c.region, c.product_id)
        > (c.snapshot_date, c.changed_at, ${after['region']}, ${after['product_id']})`,
      min_pct !== undefined && sql`abs(c.change_pct) >= ${min_pct}`,
      product && sql`c.product_id = ${product}`,
      below !== undefined && sql`c.new_price <= ${below} and c.old_price > ${below}`,
      categoryKeys && wasIn(categoryKeys, sql`c.product_key`, sql`c.changed_at`),
    )}`;
  },
  order: () => sql`of_night desc, changed_at desc, region, product_id`,
  lookUp: () => sql`join marts.dim_product p on p.product_key = asked.product_key`,
  none: () => 'No price has changed that way.',
});
