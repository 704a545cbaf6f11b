import { nightsIn, type RegionCode } from '../base/model/index.ts';
import { firstDerived, lastDerived } from './certified.ts';
import { fields, lookedUp } from './columns.ts';
import { amount, categoryAbout, dateAbout, oneOf, RegionParameter, titled, Words } from './parameters.ts';
import { defineQuestion, earlier } from './question.ts';
import { allOf, type Sql, sql } from './sql.ts';

/** Prices by basis, of a spell. */
const paid = { shelf: sql`price`, member: sql`least(price, loyalty_price)` };

/** Compared nights; `since` is later if the data begin later. */
export function nightsCompared(region: RegionCode, period: keyof typeof nightsIn, upTo?: string) {
  const until = lastDerived(region, upTo);
  const since = lastDerived(region, sql`(${until} - ${nightsIn[period]}::int)`);
  return { until, since: sql`coalesce(${since}, ${firstDerived(region)})` };
}

type Compared = Readonly<Record<'since' | 'until', string | null>>;

export const movers = defineQuestion({
  name: 'movers',
  about: 'price rises and falls between two nights, largest first',
  parameters: {
    region: RegionParameter,
    period: oneOf(['night', 'week', 'month'], 'period to compare with').meta({ label: 'Period' }),
    until: dateAbout('compare the last certified night up to it (default: the last)').meta({ label: 'Night' }),
    direction: oneOf(['both', 'rises', 'falls'], 'rises, falls or both').meta({
      label: 'Show',
      names: { rises: 'dearer', falls: 'cheaper' },
    }),
    basis: oneOf(['shelf', 'member'], 'shelf prices, or what members pay').meta({
      label: 'Prices',
      names: { shelf: 'shelf prices', member: 'what members pay' },
    }),
    category: categoryAbout('only products in this category or below it on both nights'),
    words: Words,
    price_from: amount().meta({ description: 'only what cost at least this before', label: 'Old price from' }),
  },
  columns: [
    ...fields('region'),
    ...lookedUp('p', ...fields('product_id', 'title', 'brand')),
    // Computed after the cut: in a month, all products may move.
    { name: 'old_price', heading: 'Before', as: 'money', expression: sql`(old_minor * 0.01)::numeric(12, 2)` },
    { name: 'new_price', heading: 'After', as: 'money', expression: sql`(new_minor * 0.01)::numeric(12, 2)` },
    { name: 'change', heading: 'Amount', as: 'money', expression: sql`(change_minor * 0.01)::numeric(12, 2)` },
    { name: 'change_pct', as: 'percent', expression: sql`round(100.0 * change_minor / old_minor, 4)` },
    ...lookedUp(
      'unit',
      ...fields('old_unit_price'),
      { name: 'new_unit_price', heading: 'Per unit, before and after', as: 'money' },
      ...fields('unit_of_measure'),
    ),
    ...lookedUp('cut', { name: 'price_before_cut', heading: 'Before a cut', as: 'money' }),
    ...lookedUp('dim_region', ...fields('currency')),
    ...fields('since', 'until'),
    ...lookedUp(
      'offer',
      { name: 'promotion', heading: 'On promotion', as: 'sentence' },
      ...fields('verdict_label', 'prior_price_check', 'prior_price_reason'),
    ),
    ...fields('product_key'),
  ],
  key: ['region', 'product_id', 'since', 'until'],
  table: () => ['product_id', 'title', 'old_price', 'new_price', 'change_pct', 'promotion'],
  isDerived: true,
  pin: (parameters, nights) => ({ ...parameters, until: earlier(parameters.until, nights[parameters.region]) }),
  // Once, because every statement compares the same nights, and the planner knows more of dates than of subqueries.
  async settle(parameters, ask) {
    const { since, until } = nightsCompared(parameters.region, parameters.period, parameters.until);
    return { ...parameters, compared: (await ask(sql`select ${since} as since, ${until} as until`)).rows[0] };
  },
  rows: ({ region, period, until: upTo, basis, direction, categoryKeys, words, price_from, compared }) => {
    // Charts of BI tools settle nothing, so that they stay up to date.
    const nights = (compared ?? nightsCompared(region, period, upTo)) as Record<'since' | 'until', string | Sql | null>;
    const [since, until] = [sql`(${nights.since})::date`, sql`(${nights.until})::date`];
    return sql`
    select ${region} as region, product_key, old_minor, new_minor, new_minor - old_minor as change_minor,
      ${since} as since, ${until} as until
    from marts.moved_prices(
      ${region}, ${since}, ${until}, price_basis => ${basis}, price_from => ${price_from ?? null}::numeric) as moved
    where ${allOf(
      words && sql`product_key in ${titled(region, words)}`,
      // Shelf prices are those of sales; cards may get a price for what is not for sale.
      basis === 'member' &&
        sql`(
        select availability from marts.fct_availability_spell as spell
        where spell.product_key = moved.product_key and valid_from <= ${until}
        order by valid_from desc limit 1) = 'available'`,
      // In the category on both nights, as in the figures of categories.
      categoryKeys &&
        sql`product_key in (
        select member.product_key
        from unnest(${categoryKeys}::int[]) as key
        cross join lateral (select * from marts.bridge_product_category where category_key = key offset 0) as member
        group by key, member.product_key
        having bool_or(began_on <= ${since} and (ended_on > ${since}) is not false)
          and bool_or(began_on <= ${until} and (ended_on > ${until}) is not false))`,
      direction === 'rises' && sql`new_minor > old_minor`,
      direction === 'falls' && sql`new_minor < old_minor`,
    )}`;
  },
  order: () => sql`abs(new_minor - old_minor) / old_minor::float8 desc, product_key`,
  // Prices per unit are scaled to the price that is compared, which may be the one for members.
  lookUp: ({ region, basis }) => sql`
    cross join lateral (
      select product_id, title, brand from marts.dim_product where product_key = asked.product_key offset 0
    ) as p
    join marts.dim_region on dim_region.region = ${region}
    cross join lateral (
      select
        case when min(unit_of_measure) is not distinct from max(unit_of_measure) then
          round(min(unit_price * 0.01 * asked.old_minor / nullif(price, 0)) filter (where valid_from <= asked.since), 4)
        end as old_unit_price,
        round(min(unit_price * 0.01 * asked.new_minor / nullif(price, 0))
          filter (where valid_to is null or valid_to > asked.until), 4) as new_unit_price,
        max(unit_of_measure) filter (where valid_to is null or valid_to > asked.until) as unit_of_measure
      from marts.fct_price_spell
      where product_key = asked.product_key and valid_from <= asked.until
        and (valid_to is null or valid_to > asked.until
          or valid_from <= asked.since and valid_to > asked.since)
    ) as unit
    -- The last other price before a rise, if it was higher; what held for a quarter was no temporary cut.
    left join lateral (
      select ${paid[basis]} as price_before_cut
      from marts.fct_price_spell
      where product_key = asked.product_key and asked.new_minor > asked.old_minor
        and valid_to between asked.since - 90 and asked.since and ${paid[basis]} * 100 <> asked.old_minor
      order by valid_from desc
      limit 1
    ) as cut on price_before_cut * 100 > asked.old_minor
    left join lateral (
      select c.description as promotion, c.verdict_label, c.prior_price_check, c.prior_price_reason
      from marts.fct_promotion_check c
      where c.product_key = asked.product_key and c.snapshot_date <= asked.until
        and (c.ended_on is null or c.ended_on > asked.until)
      order by c.snapshot_date desc, c.promotion_key
      limit 1
    ) as offer on true`,
  notes: async ({ compared }) => {
    const { since, until } = compared as Compared;
    return [`Compared: ${since} with ${until}.`];
  },
  none: ({ compared }) => {
    const { since, until } = compared as Compared;
    if (since === until) return `There is no night before ${until} to compare with.`;
    return `No price changed that way between ${since} and ${until}.`;
  },
});
