import type { FoundStore, Rejection, Store } from '../../base/model/index.ts';
import type { Database } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';
import { storeList } from '../../source/endpoints/index.ts';
import { minutesOf } from '../../source/normalise/opening-hours.ts';
import { lockStoreRefresh, type SearchedCircle, type TakenRefresh, writeCircles } from '../ledger/store-refreshes.ts';
import { milesBetween, type Point } from '../plan/area.ts';
import { hash16 } from './entry-hash.ts';
import { quarantine } from './quarantine.ts';

/** An answer to a circle. */
export interface ReadCircle {
  readonly circleNo: number;
  readonly stores: readonly FoundStore[];
  readonly rejected: readonly Rejection[];
  readonly payloadSha256: string;
  readonly receivedAt: Date;
}

/** Stages the stores of answers together with the circles of their refresh. Throws `LeaseLost` if that was taken. */
export async function stageStores(
  db: Database,
  refresh: TakenRefresh,
  { circles, reads }: { readonly circles: readonly SearchedCircle[]; readonly reads: readonly ReadCircle[] },
): Promise<void> {
  await db.tx(async (tx) => {
    await lockStoreRefresh(tx, refresh);
    await writeCircles(tx, refresh, circles);
    for (const { circleNo, stores, rejected, payloadSha256, receivedAt: seenAt } of reads) {
      const staged = stores.map(({ store }) => stagedForm(store));
      await tx.query(insertStores, [refresh.refreshId, circleNo, JSON.stringify(staged)]);
      await quarantine(
        tx,
        { runId: null, region: null },
        storeList.name,
        rejected.map((rejection) => ({ rejection, payloadSha256, seenAt })),
      );
    }
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
export function perMile(centre: Point, stores: readonly FoundStore[]): number | null {
  const ratios = stores.flatMap(({ store: { latitude, longitude }, distance }) => {
    if (distance === null || latitude === null || longitude === null) return [];
    const miles = milesBetween(centre, { latitude, longitude });
    return miles > 1 ? [distance / miles] : [];
  });
  return ratios.sort((a, b) => a - b)[Math.floor(ratios.length / 2)] ?? null;
}

const insertStores = `
  insert into stage.store (refresh_id, store_id, circle_no, record, hours)
  select $1, s.store_id, $2, s.record, s.hours
  from jsonb_to_recordset($3::jsonb) as s (store_id text, record jsonb, hours jsonb)
  on conflict (refresh_id, store_id) do update
    set circle_no = excluded.circle_no, record = excluded.record, hours = excluded.hours
    where store.circle_no > excluded.circle_no`;
