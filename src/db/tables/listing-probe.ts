import { integer, primaryKey, text } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import { ops } from './schemas.ts';

/**
 * `answered`; `denied`: the key is not known or not subscribed; `missing`: the gateway knows no such host or path;
 * `failed`: no usable answer; `not_asked`: a limit or an earlier stop kept the request back.
 */
export const probeOutcome = ops.enum('probe_outcome', ['answered', 'denied', 'missing', 'failed', 'not_asked']);

/** What became of asking a listing, now and then, whether it is there. */
export const listingProbe = ops.table(
  'listing_probe',
  {
    listing: text().notNull(),
    probedAt: instant().notNull(),
    host: text().notNull(),
    endpoint: text().notNull(),
    outcome: probeOutcome().notNull(),
    /** From the request to the last byte of its answer; null: there was none. */
    latencyMs: integer(),
    /** What went wrong, in a line without a key. */
    said: text(),
  },
  (t) => [primaryKey({ columns: [t.listing, t.probedAt, t.host] })],
);
