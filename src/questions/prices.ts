import { fields } from './columns.ts';
import { RegionParameter, Since, TheProduct } from './parameters.ts';
import { keyOf } from './product.ts';
import { defineQuestion } from './question.ts';
import { allOf, sql } from './sql.ts';

export const prices = defineQuestion({
  name: 'prices',
  about: 'prices of a product over time, newest first',
  parameters: { region: RegionParameter, product: TheProduct, since: Since },
  columns: [
    { name: 'valid_from', heading: 'From', as: 'date' },
    { name: 'valid_to', heading: 'Until before', as: 'date' },
    ...fields('price', 'unit_price', 'unit_of_measure', 'loyalty_price', 'currency', 'region', 'product_id'),
    ...fields('product_key'),
  ],
  key: ['region', 'product_id', 'valid_from'],
  table: () => ['valid_from', 'valid_to', 'price', 'unit_price', 'unit_of_measure', 'loyalty_price'],
  isWhole: true,
  // As a scalar subquery the key is looked up first, so that only the product's part of the history is read.
  rows: ({ region, product, since }) => sql`
    select * from marts.fct_price_spell
    where ${allOf(
      sql`region = ${region} and product_id = ${product} and product_key = ${keyOf(region, product)}`,
      since && sql`(valid_to is null or valid_to > ${since})`,
    )}`,
  order: () => sql`valid_from desc`,
  none: () => 'No price is known.',
});
