import { bigint, foreignKey, integer, primaryKey, smallint, text } from 'drizzle-orm/pg-core';
import { bytes, instant } from './columns.ts';
import { run } from './run.ts';
import { ops } from './schemas.ts';

/**
 * The payloads of one endpoint and host of an old run in one row, until the archive forgets them. Entry n of every array is
 * the same payload.
 */
export const payloadFold = ops.table(
  'payload_fold',
  {
    runId: integer().notNull(),
    listing: text().notNull(),
    endpoint: text().notNull(),
    host: text().notNull(),
    status: smallint().notNull(),
    region: text(),
    payloads: integer().notNull(),
    lastReceivedAt: instant().notNull(),
    payloadId: bigint({ mode: 'number' }).array().notNull(),
    sha256: bytes().array().notNull(),
    request: text().array().notNull(),
    receivedAt: instant().array().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.runId, t.listing, t.endpoint, t.host, t.status] }),
    foreignKey({ columns: [t.runId], foreignColumns: [run.runId] }).onDelete('cascade'),
  ],
);
