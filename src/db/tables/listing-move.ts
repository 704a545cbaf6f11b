import { sql } from 'drizzle-orm';
import { bigint, integer, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import { ops } from './schemas.ts';

/**
 * What a replaced host says to the key: it is still `subscribed`, and so billed beside the new one; `not_subscribed`
 * any more; or `gone` from the gateway.
 */
export const replacedHostState = ops.enum('replaced_host_state', ['subscribed', 'not_subscribed', 'gone']);

/**
 * A listing that moved to another address: whoever is configured for the one asks the other. Address and host header
 * change together, for all processes at the same instant. The old one is kept, to go back to. A row that leads to its own
 * address says that this is the current host.
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
    /** By the clock of the database's server, which all processes share: a moment after all of them can know of it. */
    effectiveAt: instant().notNull(),
    rolledBackAt: instant(),
    /** Likewise, of going back. */
    backEffectiveAt: instant(),
    /** Requests of the old subscription's month when it moved: what a refund is counted by. */
    unitsUsed: bigint({ mode: 'number' }).notNull().default(0),
    replacedHostState: replacedHostState(),
    replacedHostSeenAt: instant(),
  },
  (t) => [
    uniqueIndex('listing_move_in_force').on(t.listing, t.fromBaseUrl, t.fromHost).where(sql`rolled_back_at is null`),
  ],
);
