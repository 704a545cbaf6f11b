import { date, index, integer, jsonb, primaryKey, smallint, text } from 'drizzle-orm/pg-core';
import { bytes, instant, long } from './columns.ts';
import { ofRun } from './runs.ts';
import { ops } from './schemas.ts';

/** Every response as received: its source, and the place of its body in the archive. */
export const payload = ops.table(
  'payload',
  {
    payloadId: long().primaryKey().generatedAlwaysAsIdentity(),
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
    /** Pack of the archive: `2026-03-01/<uuid>.pack.gz`. */
    pack: text().notNull(),
    /** The body is the gzip member of `stored_bytes` at this place of the pack. */
    byteOffset: long().notNull(),
    storedBytes: integer().notNull(),
  },
  (t) => [index('payload_by_run').on(t.runId, t.endpoint), index('payload_by_sha256').on(t.sha256)],
);

/** A rejected element, with its reason and payload; a replay reads it again. */
export const quarantine = ops.table(
  'quarantine',
  {
    quarantineId: long().primaryKey().generatedAlwaysAsIdentity(),
    runId: integer(),
    region: text(),
    endpoint: text().notNull(),
    path: text().notNull(),
    reason: text().notNull(),
    /** JSON text of the element, cut at 4 KB; the payload has all of it. */
    value: text(),
    payloadSha256: bytes(),
    seenAt: instant().notNull(),
  },
  (t) => [index('quarantine_by_run').on(t.runId), index('quarantine_by_payload').on(t.payloadSha256)],
);

/** How a sample of a run's payloads differs from that of the certified night before, by endpoint. */
export const payloadDrift = ops.table(
  'payload_drift',
  {
    runId: ofRun(),
    endpoint: text().notNull(),
    /** Payloads in the sample. */
    payloads: integer().notNull(),
    /** Date of the certified night; null: there is none. */
    comparedWith: date(),
    /** Worst first. */
    findings: jsonb().notNull(),
    takenAt: instant().notNull(),
  },
  (t) => [primaryKey({ columns: [t.runId, t.endpoint] })],
);
