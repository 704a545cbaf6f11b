import { NothingFound } from '../base/errors.ts';
import { isCertified } from './certified.ts';
import { categoryAbout, dateAbout, wholeNumber } from './parameters.ts';
import { cut, defineQuestion, fields } from './question.ts';
import { allOf, sql } from './sql.ts';

export const compare = defineQuestion({
  parameters: {
    date: dateAbout('a night (default: the last one that is certified in both regions)'),
    tier: wholeNumber(1, 3)
      .optional()
      .meta({ description: 'only matches of this tier: 1 barcode, 2 base product number, 3 name' }),
    category: categoryAbout('only products in this category or below it now'),
  },
  columns: [
    ...fields('snapshot_date', 'uk_product_id', 'ie_product_id'),
    { name: 'tier', heading: 'Known by', as: 'number' },
    { name: 'uk_title', heading: 'In the UK', as: 'sentence' },
    { name: 'uk_price', heading: 'UK', as: 'money', currency: 'uk_currency' },
    ...fields('uk_currency'),
    { name: 'ie_price', heading: 'Ireland', as: 'money', currency: 'ie_currency' },
    ...fields('ie_currency'),
    { name: 'rate', as: 'decimal' },
    ...fields('rate_date'),
    { name: 'ie_price_gbp', heading: 'Ireland in pounds', as: 'money', currency: 'uk_currency', decimals: 2 },
    { name: 'gap_pct', heading: 'Ireland at the rate', as: 'percent', or: 'reason' },
    ...fields('uk_vat_pct', 'ie_vat_pct', 'gap_before_vat_pct', 'reason'),
    { name: 'ie_title', heading: 'In Ireland', as: 'sentence' },
    ...fields('uk_product_key', 'ie_product_key'),
  ],
  table: () => ['uk_title', 'tier', 'uk_price', 'ie_price', 'ie_price_gbp', 'gap_pct'],
  isDerived: true,
  sql: ({ date, tier, categoryKeys }, part) => sql`
    select
      snapshot_date, uk_product_id, ie_product_id, tier, uk_title, uk_price, uk_currency, ie_price, ie_currency,
      rate, rate_date, ie_price_gbp, gap_pct, uk_vat_pct, ie_vat_pct, gap_before_vat_pct, reason, ie_title,
      uk_product_key, ie_product_key
    from marts.fct_region_gap
    where ${allOf(
      sql`snapshot_date = ${date}`,
      tier !== undefined && sql`tier = ${tier}`,
      part.among && sql`uk_product_key = any (array${part.among})`,
      categoryKeys &&
        sql`exists (
        select from marts.bridge_product_category b
        where b.product_key in (uk_product_key, ie_product_key) and b.category_key = any (${categoryKeys}::int[])
          and b.valid_to is null)`,
    )}
    order by gap_pct desc nulls last, uk_product_id, ie_product_id
    ${cut(part)}`,
  async settle(parameters, ask) {
    if (parameters.date !== undefined) return parameters;
    const { rows } = await ask(sql`
      select max(snapshot_date) as date
      from (select snapshot_date from marts.snapshot where region = 'uk' and ${isCertified}) as uk
      join (select snapshot_date from marts.snapshot where region = 'ie'
        and ${isCertified}) as ie using (snapshot_date)`);
    const date = rows[0]?.['date'];
    if (typeof date === 'string') return { ...parameters, date };
    throw new NothingFound('No night is certified in both regions yet: crawl both, then compare.');
  },
  async none({ date, tier, category }, ask) {
    const nights = await ask(sql`select from marts.snapshot where snapshot_date = ${date} and ${isCertified} limit 1`);
    if (nights.rows.length === 0)
      return `The night of ${date} is certified in neither region: there is nothing to compare.`;
    return tier === undefined && category === undefined
      ? `No matched product was listed on ${date}.`
      : `No such match was listed on ${date}; others may have been.`;
  },
  async notes({ date }, ask) {
    // Same rule as in marts.fct_region_gap.
    const rates = await ask(sql`
      select from marts.fx_rate
      where base = 'EUR' and quote = 'GBP' and on_date between ${date}::date - 7 and ${date}::date limit 1`);
    return [
      `${date}, taxes included. The gap is the Irish price at the exchange rate, in percent above the British price.`,
      ...(rates.rows.length > 0
        ? []
        : [
            `No exchange rate is known for ${date} or the 7 days before. Load rates with ` +
              '`pricebook rates load FILE.csv`.',
          ]),
    ];
  },
});
