import { lastDerived } from './certified.ts';
import { fields } from './columns.ts';
import {
  categoryAbout,
  choice,
  oneOf,
  orderOf,
  ProductParameter,
  RegionParameter,
  sinceNights,
  titled,
  Until,
  Words,
} from './parameters.ts';
import { defineQuestion } from './question.ts';
import { allOf, sql } from './sql.ts';

const orders = {
  newest: { name: 'newest first', by: sql`snapshot_date desc` },
  effect: { name: 'largest effect first', by: sql`unit_price_effect_pct desc nulls last, snapshot_date desc` },
  size: { name: 'most shrunk first', by: sql`size_change_pct, snapshot_date desc` },
} as const;

/** Kinds of changes. */
const routes = { in_place: 'same barcode', new_gtin: 'new barcode', relaunch: 'relaunched' } as const;

/** Nights of the changes shown by default. */
export const usualNights = 366;

export const packChanges = defineQuestion({
  name: 'pack-changes',
  about: 'packs that hold a different amount than before',
  parameters: {
    region: RegionParameter,
    what: oneOf(['both', 'shrank', 'grew'], 'packs that').meta({ label: 'Packs that' }),
    since: sinceNights(usualNights),
    until: Until,
    route: choice(['in_place', 'new_gtin', 'relaunch'], 'only changes of this kind').meta({
      label: 'Kind',
      names: routes,
    }),
    category: categoryAbout('only products in this category now'),
    words: Words,
    product: ProductParameter,
    sort: orderOf(orders),
  },
  columns: [
    ...fields('region'),
    { name: 'snapshot_date', heading: 'First night', as: 'date' },
    ...fields('product_id', 'title'),
    { name: 'old_size', heading: 'Held', as: 'decimal' },
    { name: 'new_size', heading: 'Holds', as: 'decimal' },
    ...fields('unit'),
    { name: 'size_change_pct', heading: 'Content', as: 'percent' },
    { name: 'old_unit_price', heading: 'Per unit before', as: 'money' },
    { name: 'new_unit_price', heading: 'Per unit after', as: 'money' },
    ...fields('currency'),
    { name: 'unit_price_effect_pct', heading: 'Price per unit', as: 'percent' },
    { name: 'route', heading: 'How', names: routes },
    ...fields('evidence'),
    { name: 'score', heading: 'Certainty, of 1', as: 'decimal' },
    ...fields('former_product_id', 'changed_at', 'product_key'),
    {
      name: 'brand',
      expression: sql`(select now.brand from marts.product_now now where now.product_key = asked.product_key)`,
    },
    ...fields('confirmed_on', 'change_seq', 'updated_at'),
  ],
  key: ['region', 'product_id', 'snapshot_date', 'unit'],
  table: () => [
    ...(['snapshot_date', 'region', 'product_id', 'title', 'old_size', 'new_size', 'unit'] as const),
    ...(['size_change_pct', 'unit_price_effect_pct', 'route', 'score'] as const),
  ],
  isDerived: true,
  rows: ({ region, what, since, until, route, words, product, categoryKeys }) => sql`
    select * from marts.fct_pack_change
    where ${allOf(
      sql`region = ${region} and snapshot_date >= ${since ?? sql`${lastDerived(region)} - ${usualNights - 1}::int`}`,
      until && sql`snapshot_date <= ${until}`,
      what === 'shrank' && sql`new_size < old_size`,
      what === 'grew' && sql`new_size > old_size`,
      route && sql`route = ${route}`,
      product && sql`product_id = ${product}`,
      words && sql`product_key in ${titled(region, words)}`,
      categoryKeys &&
        sql`product_key in (
        select product_key from marts.product_category_now where category_key = any (${categoryKeys}::int[]))`,
    )}`,
  order: ({ sort }) => sql`${orders[sort].by}, product_key`,
  none: () => 'No matching pack change is confirmed by three certified nights in a row.',
});
