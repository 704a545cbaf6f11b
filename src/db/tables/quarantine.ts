import { bigint, index, integer, text } from 'drizzle-orm/pg-core';
import { bytes, instant } from './columns.ts';
import { ops } from './schemas.ts';

/** A rejected element, with its reason and payload; a replay may heal it. */
export const quarantine = ops.table(
  'quarantine',
  {
    quarantineId: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    runId: integer(),
    region: text(),
    endpoint: text().notNull(),
    path: text().notNull(),
    reason: text().notNull(),
    /** JSON text of the element, cut at 4 KB; the payload has all of it. */
    value: text(),
    payloadSha256: bytes(),
    seenAt: instant().notNull(),
    healedAt: instant(),
  },
  (t) => [index('quarantine_by_run').on(t.runId), index('quarantine_by_payload').on(t.payloadSha256)],
);
