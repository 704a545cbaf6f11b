/** Views and functions for internal use, in the order of application; `marts` depends on them. */
export const catalogFiles: readonly string[] = [
  'published-run.sql',
  'certified-run.sql',
  'spells.sql',
  'product-hash.sql',
  'weekly-figure.sql',
  'next-product-key.sql',
];
