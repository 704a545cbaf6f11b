import { LeaseLost } from '../../base/errors.ts';
import type { FoundStore, Rejection, Store } from '../../base/model/index.ts';
import type { Database } from '../../db/client.ts';
import { countOf, rowsOf } from '../../db/rows.ts';
import { minutesOf } from '../../source/normalise/opening-hours.ts';
import { lockStoreRefresh } from '../ledger/store-refreshes.ts';
import { milesBetween, type Point } from '../plan/area.ts';
import { hash16 } from './listing-hash.ts';
import { quarantine } from './quarantine.ts';

interface ReadCircle {
  readonly refreshId: number;
  readonly circleNo: number;
  readonly lease: number;
  readonly workerId: string;
  readonly centre: Point;
  readonly received: number;
  readonly stores: readonly FoundStore[];
  readonly rejected: readonly Rejection[];
  readonly payloadSha256: string;
  readonly endpoint: string;
  readonly receivedAt: Date;
}

/** Stages the stores of an answer and marks its circle as done. Throws `LeaseLost` if another worker has the circle. */
export async function stageStores(db: Database, read: ReadCircle): Promise<void> {
  const { refreshId, circleNo, lease, workerId, received, stores, rejected, payloadSha256, endpoint, receivedAt } =
    read;
  await db.tx(async (tx) => {
    await lockStoreRefresh(tx, refreshId);
    const done = await countOf(tx, markDone, [
      refreshId,
      circleNo,
      lease,
      workerId,
      received,
      rejected.length,
      stores.map(({ store }) => store.storeId).sort(),
      perMile(read.centre, stores),
      Buffer.from(payloadSha256, 'hex'),
      receivedAt,
    ]);
    if (done === 0) throw new LeaseLost(`Circle ${circleNo} of the refresh ${refreshId} of the stores`);
    await tx.query(insertStores, [refreshId, circleNo, JSON.stringify(stores.map(({ store }) => stagedForm(store)))]);
    const seenAt = receivedAt;
    await quarantine(
      tx,
      { runId: null, region: null },
      endpoint,
      rejected.map((rejection) => ({ rejection, payloadSha256, seenAt })),
    );
  });
}

/** Coordinates of the stores that a refresh has staged; stores without coordinates are omitted. */
export async function readStagedPlaces(db: Database, refreshId: number): Promise<Map<string, Point>> {
  const rows = await rowsOf<Point & { storeId: string }>(
    db,
    `select store_id as "storeId", (record->>'latitude')::float8 as latitude,
       (record->>'longitude')::float8 as longitude
     from stage.store
     where refresh_id = $1 and record->>'latitude' is not null and record->>'longitude' is not null`,
    [refreshId],
  );
  return new Map(rows.map(({ storeId, latitude, longitude }) => [storeId, { latitude, longitude }]));
}

/** Columns of `catalog.store`, and rows of `catalog.store_hours`. */
function stagedForm({ storeId, curbsideHours, ...fields }: Store) {
  const hours = curbsideHours.map(({ weekday, opens, closes, printed }) => ({
    weekday,
    ...(opens === null || closes === null
      ? { opens_minute: null, closes_minute: null }
      : snakeKeys(minutesOf({ opens, closes }))),
    printed,
  }));
  const record = { ...snakeKeys(fields), record_hash: hash16([1, Object.values(fields), hours]) };
  return { store_id: storeId, record, hours };
}

const snakeKeys = (fields: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );

/** Upstream distance units per mile: the median ratio over all stores; null if no store allows the comparison. */
function perMile(centre: Point, stores: readonly FoundStore[]): number | null {
  const ratios = stores.flatMap(({ store: { latitude, longitude }, distance }) => {
    if (distance === null || latitude === null || longitude === null) return [];
    const miles = milesBetween(centre, { latitude, longitude });
    return miles > 1 ? [distance / miles] : [];
  });
  return ratios.sort((a, b) => a - b)[Math.floor(ratios.length / 2)] ?? null;
}

const markDone = `
  update ops.store_circle
  set status = 'done', worker_id = null, error = null, received = $5, rejected = $6, store_ids = $7,
    distance_per_mile = $8,
    payload_sha256 = $9, fetched_at = $10
  where refresh_id = $1 and circle_no = $2 and lease = $3 and worker_id = $4 and status = 'planned'`;

const insertStores = `
  insert into stage.store (refresh_id, store_id, circle_no, record, hours)
  select $1, s.store_id, $2, s.record, s.hours
  from jsonb_to_recordset($3::jsonb) as s (store_id text, record jsonb, hours jsonb)
  on conflict (refresh_id, store_id) do update
    set circle_no = excluded.circle_no, record = excluded.record, hours = excluded.hours
    where store.circle_no > excluded.circle_no`;
