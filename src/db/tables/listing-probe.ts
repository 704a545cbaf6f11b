import { integer, primaryKey, text } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import { ops } from './schemas.ts';

/**
 * `answered`; `denied`: the key is unknown or not subscribed; `missing`: the gateway does not know the host or path;
 * `failed`: no usable answer; `not_asked`: a limit or stop held the request back.
 */
export const probeOutcome = ops.enum('probe_outcome', ['answered', 'denied', 'missing', 'failed', 'not_asked']);

/** Results of periodic health probes of listings. */
export const listingProbe = ops.table(
  'listing_probe',
  {
    listing: text().notNull(),
    probedAt: instant().notNull(),
    host: text().notNull(),
    endpoint: text().notNull(),
    outcome: probeOutcome().notNull(),
    /** From the request to the last byte of its answer; null if there was none. */
    latencyMs: integer(),
    /** Error message in one line, without a key. */
    said: text(),
  },
  (t) => [primaryKey({ columns: [t.listing, t.probedAt, t.host] })],
);
