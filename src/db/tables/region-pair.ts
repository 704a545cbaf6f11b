import { index, integer, numeric, primaryKey, smallint, text } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import { derived } from './schemas.ts';

/** A British and an Irish product that are the same article, or would be without an alarm. */
export const regionPair = derived.table(
  'region_pair',
  {
    ukProductKey: integer().notNull(),
    ieProductKey: integer().notNull(),
    /** 1: by barcode, 2: by base product number, 3: by brand, name and content. */
    tier: smallint().notNull(),
    score: numeric({ precision: 3, scale: 2 }).notNull(),
    /** Why it is not a match: `other_size`. Null: it is one. */
    alarm: text(),
    /** The two contents that caused an alarm, by the titles. */
    ukContent: numeric(),
    ieContent: numeric(),
    measure: text(),
    /** Since when both products are unchanged. */
    since: instant().notNull(),
  },
  (t) => [primaryKey({ columns: [t.ukProductKey, t.ieProductKey] }), index('region_pair_by_ie').on(t.ieProductKey)],
);
