import { RegionCode } from '../base/model/index.ts';
import { dateAbout, ProductParameter } from './parameters.ts';
import { cut, defineQuestion, earlier, fields } from './question.ts';
import { allOf, sql } from './sql.ts';

export const asof = defineQuestion({
  parameters: {
    region: RegionCode.meta({ description: 'uk or ie' }),
    date: dateAbout('the last night up to it (default: the last night)'),
    product: ProductParameter,
  },
  columns: [
    ...fields(
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
    ),
    { name: 'on_promotion', as: 'yes-no' },
  ],
  // Region and night are the same in all rows.
  table: () => ['product_id', 'title', 'price', 'loyalty_price', 'unit_price', 'unit_of_measure', 'availability'],
  key: ['product_id'],
  pin: (parameters, nights) => ({ ...parameters, date: earlier(parameters.date, nights[parameters.region]) }),
  async settle(parameters, ask) {
    const { region, date = null } = parameters;
    const { rows } = await ask(sql`
      select snapshot_date from marts.snapshot
      where region = ${region} and ${allOf(date && sql`snapshot_date <= ${date}`)}
      order by snapshot_date desc limit 1`);
    return { ...parameters, snapshot_date: rows[0]?.['snapshot_date'] ?? null };
  },
  sql: ({ region, snapshot_date, product }, part) => sql`
    select
      region, snapshot_date, product_id, product_key, title, price, currency, unit_price, unit_of_measure,
      loyalty_price, availability, on_promotion
    from marts.as_of(${region}, ${snapshot_date})
    where ${allOf(product && sql`product_id = ${product}`, part.after && sql`product_id > ${part.after['product_id']}`)}
    order by product_id
    ${cut(part)}`,
  head: ({ region, date, snapshot_date }) => ({ region, date: date ?? snapshot_date, snapshot_date }),
  none: ({ region, date, product, snapshot_date }) => {
    if (snapshot_date === null)
      return `There is no night of ${region}${date === undefined ? ' yet' : ` up to ${date}`}.`;
    return product === undefined
      ? `No product of ${region} was listed on ${snapshot_date}.`
      : `Product ${product} was not listed that night.`;
  },
  notes: async ({ region, date, snapshot_date }) => [
    date === undefined || date === snapshot_date
      ? `${region}, night of ${snapshot_date}.`
      : `There is no night of ${region} on ${date}; this is the night of ${snapshot_date}.`,
  ],
});
