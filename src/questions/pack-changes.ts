import { choice, EitherRegion, flag, oneOf, Since, Until } from './parameters.ts';
import { cut, defineQuestion, fields } from './question.ts';
import { allOf, sql } from './sql.ts';

const orders = {
  newest: sql`snapshot_date desc, product_key`,
  effect: sql`unit_price_effect_pct desc nulls last, snapshot_date desc, product_key`,
  size: sql`size_change_pct, snapshot_date desc, product_key`,
} as const;

export const packChanges = defineQuestion({
  parameters: {
    region: EitherRegion,
    since: Since,
    until: Until,
    smaller: flag('only packs that shrank (default: also packs that grew)'),
    larger: flag('only packs that grew'),
    route: choice(['in_place', 'new_gtin', 'relaunch'], 'only changes of this kind'),
    sort: oneOf(
      ['newest', 'effect', 'size'],
      'order: newest, largest effect on the unit price, or largest shrinkage first',
    ),
  },
  columns: [
    ...fields('region'),
    { name: 'snapshot_date', heading: 'First night', as: 'date' },
    ...fields('product_id', 'title'),
    { name: 'old_size', heading: 'Held', as: 'decimal' },
    { name: 'new_size', heading: 'Holds', as: 'decimal' },
    ...fields('unit'),
    { name: 'size_change_pct', heading: 'Size', as: 'percent' },
    { name: 'old_unit_price', heading: 'Per unit before', as: 'money' },
    { name: 'new_unit_price', heading: 'Per unit after', as: 'money' },
    ...fields('currency'),
    { name: 'unit_price_effect_pct', heading: 'Effect', as: 'percent' },
    { name: 'route', heading: 'How' },
    ...fields('evidence'),
    { name: 'score', heading: 'Sure', as: 'decimal' },
    ...fields('former_product_id', 'changed_at', 'product_key', 'brand', 'confirmed_on', 'change_seq', 'updated_at'),
  ],
  table: () => [
    ...['snapshot_date', 'region', 'product_id', 'title', 'old_size', 'new_size', 'unit', 'size_change_pct'],
    ...['unit_price_effect_pct', 'route', 'score'],
  ],
  isDerived: true,
  sql: ({ region, since, until, smaller, larger, route, sort }, part) => sql`
    select
      region, snapshot_date, product_id, title, old_size, new_size, unit, size_change_pct, old_unit_price,
      new_unit_price, currency, unit_price_effect_pct, route, evidence, score, former_product_id, changed_at,
      product_key,
      (select now.brand from marts.product_now now where now.product_key = pack.product_key) as brand,
      confirmed_on, change_seq, updated_at
    from marts.fct_pack_change pack
    where ${allOf(
      region && sql`region = ${region}`,
      since && sql`snapshot_date >= ${since}`,
      until && sql`snapshot_date <= ${until}`,
      smaller && sql`new_size < old_size`,
      larger && sql`new_size > old_size`,
      route && sql`route = ${route}`,
      part.among && sql`product_key in ${part.among}`,
    )}
    order by ${orders[sort]}
    ${cut(part)}`,
  none: ({ sort: _, ...filters }) => {
    const isNarrowed = Object.values(filters).some((value) => value !== undefined && value !== false);
    return `No ${isNarrowed ? 'matching ' : ''}pack change is confirmed by three certified nights in a row.`;
  },
});
