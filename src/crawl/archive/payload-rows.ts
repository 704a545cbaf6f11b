import type { Payload } from '../../base/model/index.ts';
import type { Queryable } from '../../db/client.ts';
import { camelRows } from '../../db/rows.ts';
import type { Place } from './packs.ts';

/** Records received payloads, each with the place of its body. */
export async function insertPayloads(
  db: Queryable,
  payloads: readonly Payload[],
  runId: number | null,
  places: readonly Place[],
): Promise<void> {
  const columns = [
    payloads.map(({ sha256 }) => Buffer.from(sha256, 'hex')),
    payloads.map(({ region }) => region),
    payloads.map(({ listing }) => listing),
    payloads.map(({ endpoint }) => endpoint),
    payloads.map(({ host }) => host),
    payloads.map(({ request }) => request),
    payloads.map(({ status }) => status),
    payloads.map(({ receivedAt }) => receivedAt),
    places.map(({ pack }) => pack),
    places.map(({ byteOffset }) => byteOffset),
    places.map(({ storedBytes }) => storedBytes),
  ];
  await db.query(insertAll, [runId, ...columns]);
}

export interface PlacedBody extends Place {
  readonly sha256: string;
}

/** Places of bodies. One that was received more than once is read where it was stored last. */
export function placesOf(db: Queryable, sha256s: readonly string[]): Promise<PlacedBody[]> {
  return camelRows(db, selectPlaces, [sha256s.map((sha256) => Buffer.from(sha256, 'hex'))]);
}

const insertAll = `
  insert into ops.payload (
    run_id, sha256, region, listing, endpoint, host, request, status, received_at, pack, byte_offset, stored_bytes)
  select $1, p.*
  from unnest(
    $2::bytea[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::smallint[], $9::timestamptz[],
    $10::text[], $11::bigint[], $12::int[]) as p`;

const selectPlaces = `
  select distinct on (sha256) encode(sha256, 'hex') as sha256, pack, byte_offset, stored_bytes
  from ops.payload
  where sha256 = any($1)
  order by sha256, payload_id desc`;
