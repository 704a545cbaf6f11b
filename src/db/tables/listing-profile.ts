import { integer, jsonb, primaryKey, text } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import { ops } from './schemas.ts';

/** Behaviour of a listing in a region that its documentation leaves open, as found by `pricebook probe`. */
export const listingProfile = ops.table(
  'listing_profile',
  {
    listing: text().notNull(),
    region: text().notNull(),
    host: text().notNull(),
    probedAt: instant().notNull(),
    /** Products on a full page; null if no page states it. */
    pageSize: integer(),
    /** All answers, as reported. */
    report: jsonb().notNull(),
  },
  (t) => [primaryKey({ columns: [t.listing, t.region] })],
);
