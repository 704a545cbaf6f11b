import { bigint, index, integer } from 'drizzle-orm/pg-core';
import { derived } from './schemas.ts';

/**
 * By what a product may be found in the other region where its codes do not tell. One that states no brand or no
 * content has none.
 */
export const matchKey = derived.table(
  'match_key',
  {
    productKey: integer().primaryKey(),
    /** Hash of brand, name, content and number of pieces. Equal hashes are a hint: matches compare the values. */
    nameKey: bigint({ mode: 'bigint' }).notNull(),
  },
  (t) => [index('match_key_by_name').on(t.nameKey)],
);
