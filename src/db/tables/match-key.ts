import { index, integer, numeric, smallint, text } from 'drizzle-orm/pg-core';
import { hash16 } from './columns.ts';
import { derived } from './schemas.ts';

/** By what a product may be found in the other region. */
export const matchKey = derived.table(
  'match_key',
  {
    productKey: integer().primaryKey(),
    region: text().notNull(),
    /** Of what the rest was read from, and the rules it was read by: equal hash, nothing to read. */
    inputHash: hash16().notNull(),
    /** Null unless it names one article for the whole world. */
    gtin: text(),
    tpnb: text(),
    brand: text(),
    nameHash: hash16().notNull(),
    /** Content of the whole pack, by the title. */
    content: numeric(),
    measure: text(),
    pieces: smallint(),
  },
  (t) => [
    index('match_key_by_gtin').on(t.gtin),
    index('match_key_by_tpnb').on(t.tpnb),
    index('match_key_by_name').on(t.nameHash),
  ],
);
