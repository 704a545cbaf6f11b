import { nightsIn, type RegionCode } from '../base/model/index.ts';
import { firstDerived, lastDerived } from './certified.ts';
import { amount, categoryAbout, dateAbout, oneOf, RegionParameter, Words } from './parameters.ts';
import { defineQuestion, earlier, fields } from './question.ts';
import { inAll, type Sql, sql } from './sql.ts';

interface Compared {
  readonly region: RegionCode;
  readonly period: keyof typeof nightsIn;
  readonly until?: string | Sql | undefined;
}

/** Compared nights and the wanted date; `since` is later if the data begin later. */
export function nightsCompared({ region, period, until: upTo }: Compared) {
  const until = lastDerived(region, upTo);
  const wanted = sql`(${until} - ${nightsIn[period]}::int)`;
  return { until, wanted, since: sql`coalesce(${lastDerived(region, wanted)}, ${firstDerived(region)})` };
}

interface Restricted extends Compared {
  readonly words?: string | Sql | undefined;
  readonly categoryKeys?: readonly number[] | undefined;
}

/** Array of the products that the words and the category leave; null: all. */
function productsOf({ region, words, categoryKeys }: Restricted, since: Sql, until: Sql): Sql | null {
  const products = inAll(
    words && sql`select product_key from marts.find_products(${region}, ${words})`,
    // In the category on both nights, as in the figures of categories.
    categoryKeys &&
      sql`
          select product_key
          from unnest(${categoryKeys}::int[]) as key, marts.products_in_category(key, ${until}, ${since})`,
  );
  return products && sql`array(${products})`;
}

/** Both prices of all products that moved, in minor units. */
export function movedPrices(asked: Restricted & { readonly basis: string; readonly price_from?: number | undefined }) {
  const { since, until } = nightsCompared(asked);
  return sql`marts.moved_prices(
            ${asked.region}, ${since}, ${until}, price_basis => ${asked.basis},
            product_keys => ${productsOf(asked, since, until)}, price_from => ${asked.price_from ?? null}::numeric)`;
}

/** Promotion in effect on the later night, and the verdict on it. */
const offerOf = (until: Sql) => sql`
    left join lateral (
      select c.description as promotion, c.verdict_label, c.prior_price_check, c.prior_price_reason
      from marts.fct_promotion_check c
      where c.product_key = move.product_key and c.snapshot_date <= ${until}
        and (c.ended_on is null or c.ended_on > ${until})
      order by c.snapshot_date desc, c.promotion_key
      limit 1
    ) as offer on true`;

export const movers = defineQuestion({
  parameters: {
    region: RegionParameter,
    period: oneOf(['night', 'week', 'month'], 'period to compare with'),
    until: dateAbout('compare the last certified night up to it (default: the last)'),
    direction: oneOf(['both', 'rises', 'falls'], 'rises, falls or both'),
    by: oneOf(['percent', 'amount'], 'order by percentage or amount'),
    basis: oneOf(['shelf', 'member'], 'shelf prices, or what members pay'),
    category: categoryAbout('only products in this category or below it on both nights'),
    words: Words,
    price_from: amount().meta({ description: 'only products that cost at least this before' }),
  },
  columns: [
    ...fields('region', 'product_id', 'title', 'brand'),
    { name: 'old_price', heading: 'Before', as: 'money' },
    { name: 'new_price', heading: 'After', as: 'money' },
    { name: 'change', heading: 'Amount', as: 'money' },
    { name: 'change_pct', heading: 'Change', as: 'percent' },
    ...fields('old_unit_price'),
    { name: 'new_unit_price', heading: 'Per unit, before and after', as: 'money' },
    ...fields('unit_of_measure', 'currency'),
    { name: 'since', as: 'date' },
    { name: 'until', as: 'date' },
    { name: 'promotion', heading: 'On promotion', as: 'sentence' },
    ...fields('verdict_label', 'prior_price_check', 'prior_price_reason', 'product_key'),
  ],
  table: () => ['product_id', 'title', 'since', 'old_price', 'until', 'new_price', 'change_pct', 'promotion'],
  isDerived: true,
  pin: (parameters, nights) => ({ ...parameters, until: earlier(parameters.until, nights[parameters.region]) }),
  // `limit` applies to each direction.
  sql: ({ direction, by, categoryKeys, ...asked }, { limit, offset = 0, isShort = false }) => {
    const { region, basis, price_from } = asked;
    const { since, until } = nightsCompared(asked);
    const products = productsOf({ ...asked, categoryKeys }, since, until);
    return sql`
    select
      ${region} as region, move.product_id, move.title, move.brand, move.old_price, move.new_price, move.change,
      move.change_pct, move.old_unit_price, move.new_unit_price, move.unit_of_measure, move.currency,
      ${since} as since, ${until} as until${
        isShort ? sql`` : sql`, offer.promotion, offer.verdict_label, offer.prior_price_check, offer.prior_price_reason`
      }, move.product_key
    from marts.largest_price_moves(
      ${region}, ${since}, ${until}, by => ${by}, direction => ${direction}, places => ${limit}, skipped => ${offset},
      product_keys => ${products}, price_from => ${price_from ?? null}::numeric, price_basis => ${basis}
    ) as move${isShort ? sql`` : offerOf(until)}
    order by move.new_price > move.old_price desc, move.place`;
  },
  none: () => 'No price changed that way between the two nights.',
});
