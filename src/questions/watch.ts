import { z } from 'zod';
import { UsageInvalid } from '../base/errors.ts';
import { isCertified } from './certified.ts';
import { fields } from './columns.ts';
import { checkProducts } from './named.ts';
import { amount, choice, RegionParameter, Since, Until, within } from './parameters.ts';
import { defineQuestion, earlier } from './question.ts';
import { allOf, sql } from './sql.ts';

/** Names of the rules. */
export const ruleNames: Readonly<Record<string, string>> = {
  ...{ below: 'fell to a price', lowest: 'lowest price', back: 'for sale again', shrank: 'pack shrank' },
  discount: 'real discount',
};

export const watch = defineQuestion({
  name: 'watch',
  about: 'nights on which products became cheap, came back, shrank or were really reduced',
  parameters: {
    products: z
      .string('must be given')
      .regex(/^[\w-]+(,[\w-]+){0,99}$/, 'must be at most 100 product ids such as 1042,1077')
      .meta({ description: 'product ids: 1042,1077', repeats: true }),
    region: RegionParameter,
    rule: choice(['below', 'lowest', 'back', 'shrank', 'discount'], 'only this; below needs an amount').meta({
      label: 'What happened',
      names: ruleNames,
    }),
    amount: amount().meta({ description: 'for below: this price or less, for anyone', label: 'Price to fall to' }),
    since: Since,
    until: Until,
  },
  columns: [
    ...fields('snapshot_date', 'region', 'product_id', 'title'),
    { name: 'rule', heading: 'What happened', names: ruleNames },
    { name: 'price_before', heading: 'Before', as: 'money' },
    ...fields('price', 'currency'),
    { name: 'detail', heading: 'Detail', as: 'sentence' },
    ...fields('product_key'),
  ],
  key: ['region', 'product_id', 'rule', 'snapshot_date'],
  table: () => ['snapshot_date', 'product_id', 'title', 'rule', 'price_before', 'price', 'detail'],
  isDerived: true,
  async settle(parameters, ask) {
    const { region, products, rule, amount } = parameters;
    if (rule === 'below' && amount === undefined)
      throw new UsageInvalid('Say which price to wait for: amount, such as 1.50.');
    await checkProducts(ask, region, ...products.split(','));
    return parameters;
  },
  pin: (parameters, nights) => ({ ...parameters, until: earlier(parameters.until, nights[parameters.region]) }),
  rows: ({ region, products, rule, amount: most = null, ...dates }) => sql`
    with product as materialized (
      select region, product_id, title, currency, product_key from marts.product_now
      where region = ${region} and product_id = any (${products.split(',')}::text[])
    ), night as materialized (
      select snapshot_date, lag(snapshot_date) over (order by snapshot_date) as night_before
      from marts.snapshot
      where region = ${region} and ${isCertified}
    ), sold as materialized (
      -- Certified nights in a row on which a product was for sale at one price, with the spell before.
      select spell.product_key, spell.paid, nights.*,
        lag(spell.paid) over spells as paid_before, lag(nights.last) over spells as sold_before
      from (
        select product_key, least(price.price, price.loyalty_price) as paid,
          greatest(price.valid_from, state.valid_from) as valid_from, least(price.valid_to, state.valid_to) as valid_to
        from marts.fct_price_spell price
        join marts.fct_availability_spell state using (product_key)
        where product_key = any (array(select product_key from product))
          and price.price is not null and state.availability = 'available'
          and price.valid_from < coalesce(state.valid_to, 'infinity')
          and state.valid_from < coalesce(price.valid_to, 'infinity')
      ) as spell
      cross join lateral (
        select min(snapshot_date) as first, max(snapshot_date) as last,
          (array_agg(night_before order by snapshot_date))[1] as night_before
        from night
        where snapshot_date >= spell.valid_from and (spell.valid_to is null or snapshot_date < spell.valid_to)
      ) as nights
      where nights.first is not null
      window spells as (partition by spell.product_key order by nights.first)
    ), event as (
      select product_key, first as snapshot_date, 'below' as rule, paid_before as price_before, paid as price,
        null as detail
      from sold
      where night_before is not null and paid <= ${most}::numeric and coalesce(paid_before > ${most}::numeric, true)
      union all
      select product_key, first, 'lowest', paid_before, paid, 'lowest since ' || to_char(year.begin, 'FMDD Mon YYYY')
      from sold
      cross join lateral (
        select min(paid) as lowest, greatest(min(known.first), sold.first - 365) as begin
        from sold known
        where known.product_key = sold.product_key and known.first < sold.first and known.last >= sold.first - 365
      ) as year
      where paid < year.lowest
      union all
      select product_key, first, 'back', paid_before, paid, 'after ' || first - sold_before || ' days'
      from sold
      where sold_before < night_before
      union all
      select product.product_key, confirmed_on, 'shrank', null, null,
        trim_scale(old_size) || ' to ' || trim_scale(new_size) || ' ' || unit
          || case when pack.product_key <> product.product_key then ', now sold as ' || pack.product_id else '' end
      from marts.fct_pack_change pack
      join product on product.product_key = pack.product_key or product.product_id = pack.former_product_id
      where pack.region = ${region} and new_size < old_size
      union all
      select product_key, snapshot_date, 'discount',
        (select paid_before from sold where sold.product_key = one.product_key and first = snapshot_date),
        reduced_price, round(real_pct) || '% below the lowest price of 30 nights: ' || description
      from marts.fct_promotion_check one
      where product_key = any (array(select product_key from product)) and verdict_label = 'real'
    )
    select one.*, region, product_id, title, currency
    from (
      -- Of several on a night, the deepest; what else happened is in the detail.
      select product_key, snapshot_date, min(rule) as rule, max(price_before) as price_before, min(price) as price,
        string_agg(distinct detail, '; ') as detail
      from event
      where ${allOf(rule && sql`rule = ${rule}`, within(sql`snapshot_date`, dates))}
      group by product_key, snapshot_date
    ) as one
    join product using (product_key)`,
  order: () => sql`snapshot_date desc, product_key`,
  none: () => 'Nothing of the kind happened on a certified night.',
});
