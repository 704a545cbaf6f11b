import { bigint, index, integer, smallint, text } from 'drizzle-orm/pg-core';
import { bytes, instant } from './columns.ts';
import { ops } from './schemas.ts';

/** Every response as received, with its source and its body. */
export const payload = ops.table(
  'payload',
  {
    payloadId: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    sha256: bytes().notNull(),
    runId: integer(),
    region: text(),
    listing: text().notNull(),
    endpoint: text().notNull(),
    host: text().notNull(),
    /** Path and query; never a header or key. */
    request: text().notNull(),
    status: smallint().notNull(),
    receivedAt: instant().notNull(),
  },
  (t) => [index('payload_by_run').on(t.runId, t.endpoint), index('payload_by_sha256').on(t.sha256)],
);

/** Location of a body in the archive; one row, however often it was received. */
export const payloadBody = ops.table('payload_body', {
  sha256: bytes().primaryKey(),
  /** Pack file, relative to the archive. */
  pack: text().notNull(),
  byteOffset: bigint({ mode: 'number' }).notNull(),
  storedBytes: integer().notNull(),
  rawBytes: integer().notNull(),
});
