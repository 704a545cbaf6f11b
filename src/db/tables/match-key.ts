import { bigint, index, integer } from 'drizzle-orm/pg-core';
import { derived } from './schemas.ts';

/**
 * Attributes by which a product is matched with the other region if its codes do not match. Products without brand or
 * content have no row.
 */
export const matchKey = derived.table(
  'match_key',
  {
    productKey: integer().primaryKey(),
    /**
     * Hash of brand, name, content and number of pieces. Equal hashes are only candidates: matches compare the values.
     */
    nameKey: bigint({ mode: 'bigint' }).notNull(),
  },
  (t) => [index('match_key_by_name').on(t.nameKey)],
);
