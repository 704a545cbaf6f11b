/** The files of this folder in the order they are applied: what a view reads comes before it. */
export const viewFiles: readonly string[] = [
  'dim-region.sql',
  'dim-date.sql',
  'dim-category.sql',
  'dim-product.sql',
  'dim-store.sql',
  'bridge-product-category.sql',
  'snapshot.sql',
  'product-night.sql',
  'fct-price-daily.sql',
  'fct-price-change.sql',
  'fct-availability-change.sql',
  'fct-promotion.sql',
  'fct-pack-size-spell.sql',
  'fct-pack-change.sql',
  'fct-unit-price-mistake.sql',
  'as-of.sql',
];
