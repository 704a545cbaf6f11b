import { integer, jsonb, primaryKey, text } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import { ops } from './schemas.ts';

/** What `pricebook probe` found a listing to do in a region, where its documents leave it open. */
export const listingProfile = ops.table(
  'listing_profile',
  {
    listing: text().notNull(),
    region: text().notNull(),
    host: text().notNull(),
    probedAt: instant().notNull(),
    /** Products of a full page; null: no page told. */
    pageSize: integer(),
    /** All answers, as they were reported. */
    report: jsonb().notNull(),
  },
  (t) => [primaryKey({ columns: [t.listing, t.region] })],
);
