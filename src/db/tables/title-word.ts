import { text } from 'drizzle-orm/pg-core';
import { derived } from './schemas.ts';

/**
 * Words of letters in titles and brands, to correct misspellings by. Kept after the first derivation
 * (src/db/functions/index-products.sql); a word that is missing is only not proposed.
 */
export const titleWord = derived.table('title_word', {
  /** In collation "C" (migrations/storage.sql), so that beginnings are found by the index. */
  word: text().primaryKey(),
  /** Runs of three characters, with two spaces before the word and one behind it. */
  trigrams: text().array().notNull(),
});
