import { customType, index, integer, text } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import { derived } from './schemas.ts';

const searchVector = customType<{ data: string }>({ dataType: () => 'tsvector' });

/** By which words a product is found. Apart from the product: reading words takes longer than publishing the product. */
export const productWords = derived.table(
  'product_words',
  {
    productKey: integer().primaryKey(),
    region: text().notNull(),
    /** `valid_from` of the product they were read from: since when its title, brand and codes are what they are. */
    since: instant().notNull(),
    words: searchVector().notNull(),
  },
  (t) => [index('product_words_by_word').using('gin', t.words)],
);
