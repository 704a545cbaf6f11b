import type { Database } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';
import type { BodyPlace, PayloadIndex } from '../archive/archive.ts';

/** Creates the index of the archive: all payloads, and the location of each distinct body. */
export function createPayloadIndex(db: Database): PayloadIndex {
  return {
    async known(sha256s, since) {
      const rows = await rowsOf<{ sha256: Buffer }>(
        db,
        'select sha256 from ops.payload_body where sha256 = any($1) and pack >= $2',
        [sha256s.map((sha256) => Buffer.from(sha256, 'hex')).sort(Buffer.compare), since ?? ''],
      );
      return new Set(rows.map((row) => row.sha256.toString('hex')));
    },

    async add(payloads, runId, places) {
      await db.query(insertPayloads, [
        payloads.map((payload) => Buffer.from(payload.sha256, 'hex')),
        runId,
        payloads.map((payload) => payload.region),
        payloads.map((payload) => payload.listing),
        payloads.map((payload) => payload.endpoint),
        payloads.map((payload) => payload.host),
        payloads.map((payload) => payload.request),
        payloads.map((payload) => payload.status),
        payloads.map((payload) => payload.receivedAt),
        places.map(({ sha256 }) => Buffer.from(sha256, 'hex')),
        places.map(({ pack }) => pack),
        places.map(({ byteOffset }) => byteOffset),
        places.map(({ storedBytes }) => storedBytes),
        places.map(({ rawBytes }) => rawBytes),
      ]);
    },

    places: (sha256s) =>
      rowsOf<BodyPlace>(
        db,
        `select encode(sha256, 'hex') as sha256, pack, byte_offset as "byteOffset", stored_bytes as "storedBytes",
           raw_bytes as "rawBytes"
         from ops.payload_body where sha256 = any($1)`,
        [sha256s.map((sha256) => Buffer.from(sha256, 'hex'))],
      ),
  };
}

/** The query parameters of a request, such as `/category-page?categoryId=…&pageNo=2`. */
export function questionIn(request: string): Record<string, string> {
  const at = request.indexOf('?');
  return Object.fromEntries(new URLSearchParams(at < 0 ? '' : request.slice(at + 1)));
}

/**
 * A body has one location, even if two processes receive it at the same time; the second copy stays unreferenced. A
 * body in a pack of an earlier day moves to the newer pack, which is deleted later.
 */
const insertPayloads = `
  with placed as (
    insert into ops.payload_body (sha256, pack, byte_offset, stored_bytes, raw_bytes)
    select * from unnest($10::bytea[], $11::text[], $12::bigint[], $13::int[], $14::int[]) as b (sha256)
    order by b.sha256
    on conflict (sha256) do update
      set pack = excluded.pack, byte_offset = excluded.byte_offset, stored_bytes = excluded.stored_bytes
      where left(payload_body.pack, 10) < left(excluded.pack, 10)
  )
  insert into ops.payload (sha256, run_id, region, listing, endpoint, host, request, status, received_at)
  select p.sha256, $2, p.region, p.listing, p.endpoint, p.host, p.request, p.status, p.received_at
  from unnest(
    $1::bytea[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::smallint[], $9::timestamptz[])
    as p (sha256, region, listing, endpoint, host, request, status, received_at)`;
