import { sql } from 'drizzle-orm';
import { bigint, integer, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import { ops } from './schemas.ts';

/**
 * A move of a listing: processes configured for the old address use the new one. Address and host header change
 * together. The old address is kept for a reversal.
 * A row that leads to its own address confirms the current host.
 */
export const listingMove = ops.table(
  'listing_move',
  {
    moveId: integer().primaryKey().generatedAlwaysAsIdentity(),
    listing: text().notNull(),
    fromBaseUrl: text().notNull(),
    fromHost: text().notNull(),
    toBaseUrl: text().notNull(),
    toHost: text().notNull(),
    movedAt: instant().notNull(),
    rolledBackAt: instant(),
    /** Requests of the month that the old subscription had used; relevant for a refund. */
    unitsUsed: bigint({ mode: 'number' }).notNull().default(0),
  },
  (t) => [
    uniqueIndex('listing_move_in_force').on(t.listing, t.fromBaseUrl, t.fromHost).where(sql`rolled_back_at is null`),
  ],
);
