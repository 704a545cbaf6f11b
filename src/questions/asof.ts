import { RegionCode } from '../base/model/index.ts';
import { fields, regionNames } from './columns.ts';
import { dateAbout, ProductParameter, titled, Words } from './parameters.ts';
import { defineQuestion, earlier } from './question.ts';
import { allOf, sql } from './sql.ts';

export const asof = defineQuestion({
  name: 'asof',
  about: "a region's catalogue on a date",
  parameters: {
    region: RegionCode.meta({ description: 'uk or ie (required)', names: regionNames }),
    date: dateAbout('the last night up to it (default: the last night)'),
    product: ProductParameter,
    words: Words,
  },
  columns: [
    ...fields('region', 'snapshot_date', 'product_id', 'product_key', 'title', 'price', 'currency', 'unit_price'),
    ...fields('unit_of_measure', 'loyalty_price', 'availability', 'on_promotion', 'department'),
  ],
  // Region and night are the same in all rows.
  table: () => ['product_id', 'title', 'price', 'loyalty_price', 'unit_price', 'unit_of_measure', 'availability'],
  key: ['region', 'snapshot_date', 'product_id'],
  isWalkedByKey: true,
  pin: (parameters, nights) => ({ ...parameters, date: earlier(parameters.date, nights[parameters.region]) }),
  async settle(parameters, ask) {
    const { region, date = null } = parameters;
    const { rows } = await ask(sql`
      select snapshot_date from marts.snapshot
      where region = ${region} and ${allOf(date && sql`snapshot_date <= ${date}`)}
      order by snapshot_date desc limit 1`);
    return { ...parameters, snapshot_date: rows[0]?.['snapshot_date'] ?? null };
  },
  // A page of up to 500 rows is walked product by product, because a whole past night takes a second.
  rows: ({ region, snapshot_date, product, words }, { limit, after }) => {
    const night = sql`marts.as_of(${region}, ${snapshot_date}) night`;
    const named = words && sql`product_key in ${titled(region, words)}`;
    const walked = allOf(sql`region = ${region}`, named, after && sql`product_id > ${after['product_id']}`);
    return snapshot_date !== null && limit !== null && limit <= 500 && product === undefined
      ? sql`
    select night.*, walk.product_id as walked_id
    from (select distinct product_id from marts.dim_product where ${walked} order by product_id offset 0) as walk
    cross join lateral (select * from ${night} where product_id = walk.product_id offset 0) as night`
      : sql`
    select *, product_id as walked_id from ${night}
    where ${allOf(product && sql`product_id = ${product}`, named, after && sql`product_id > ${after['product_id']}`)}`;
  },
  order: () => sql`walked_id`,
  none: ({ region, snapshot_date: night }) =>
    night === null ? `There is no night of ${region} yet.` : `No such product of ${region} was listed on ${night}.`,
  notes: async ({ date, snapshot_date: night }) => [
    date === undefined || date === night ? `Night of ${night}.` : `Night of ${night}, the last one up to ${date}.`,
  ],
});
