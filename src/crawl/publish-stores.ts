import type { Database, Transaction } from '../db/client.ts';
import { countOf, rowsOf } from '../db/rows.ts';
import { lockStoreRefresh, type TakenRefresh } from './ledger/store-refreshes.ts';
import type { Area } from './plan/area.ts';

interface StorePublication {
  readonly refresh: TakenRefresh;
  readonly areas: readonly Area[];
  /** Reasons why the answers are incomplete; empty if they are complete. */
  readonly reasons: readonly string[];
  readonly now: Date;
}

interface PublishedStores {
  readonly verdict: 'complete' | 'partial';
  readonly reasons: readonly string[];
  readonly storesSeen: number;
  readonly storesNew: number;
  readonly storesChanged: number;
  readonly storesGone: number;
}

/** Stores that may be reported gone in one refresh: this share of the known ones, or at least this number. */
const [believedShare, believedStores] = [0.05, 5];

/**
 * Merges the staged stores into the catalogue and its history, in one transaction. A store that was not found is gone
 * only if the answers are complete. If too many are missing, they are gone only when the next refresh misses them, too.
 */
export async function publishStores(db: Database, publication: StorePublication): Promise<PublishedStores> {
  const { refresh, now } = publication;
  const { refreshId, circles } = refresh;
  return db.tx(async (tx) => {
    await lockStoreRefresh(tx, refresh);
    await tx.query(makeFound, [refreshId]);
    await tx.query(keepOldVersions);
    const storesChanged = await countOf(tx, renewChanged);
    await tx.query(clearMissed);
    const storesNew = await countOf(tx, insertNew);
    await tx.query(insertHours);
    const { storesGone, reasons } = await takeGone(tx, publication);
    const verdict = reasons.length === 0 ? 'complete' : 'partial';
    const [seen] = await rowsOf<{ storesSeen: number }>(tx, 'select count(*)::int as "storesSeen" from found_store');
    const { storesSeen } = seen!;
    await tx.query(finish, [
      refreshId,
      now,
      verdict,
      reasons,
      circles.length,
      storesSeen,
      storesNew,
      storesChanged,
      storesGone,
    ]);
    await tx.query('delete from stage.store where refresh_id = $1', [refreshId]);
    return { verdict, reasons, storesSeen, storesNew, storesChanged, storesGone };
  });
}

async function takeGone(
  tx: Transaction,
  { refresh: { refreshId }, areas, reasons }: StorePublication,
): Promise<{ storesGone: number; reasons: readonly string[] }> {
  if (reasons.length > 0) return { storesGone: 0, reasons };
  await tx.query(makeExpected, [
    refreshId,
    areas.map(({ south }) => south),
    areas.map(({ west }) => west),
    areas.map(({ north }) => north),
    areas.map(({ east }) => east),
  ]);
  const [counted] = await rowsOf<{ known: number; unexpected: number; missed: number }>(tx, countMissed);
  const { known, unexpected, missed } = counted!;
  const isBelieved = unexpected <= Math.max(believedStores, known * believedShare);
  const storesGone = await countOf(tx, keepGone, [isBelieved]);
  await tx.query(markGone, [isBelieved]);
  if (isBelieved) return { storesGone, reasons };
  await tx.query(markMissed);
  return {
    storesGone,
    reasons: [
      `${missed} of ${known} known stores were not found; they are reported gone if the next refresh misses them, too`,
    ],
  };
}

const fields = [
  'display_name',
  'store_type',
  'latitude',
  'longitude',
  'email',
  'is_bopisable',
  'is_ropisable',
  'is_curbside_enabled',
  'is_concierge_curbside_enabled',
  'is_no_show_fee_applicable',
  'is_online_reservation_enabled',
  'is_virtual',
  'reservation_system',
  'reservation_url',
  'address1',
  'address2',
  'city',
  'country',
  'cross_street',
  'fax',
  'mall_name',
  'phone',
  'postal_code',
  'state',
  'closed_days',
  'text_color',
  'time_zone',
  'record_hash',
];

const listOf = (alias: string): string => fields.map((field) => `${alias}.${field}`).join(', ');

/** All stores found. `is_new`: not in the catalogue; `is_changed`: also set for a store that was gone and is back. */
const makeFound = `
  create temporary table found_store on commit drop as
  select s.store_id, r.observed_at, s.hours, known.store_id is null as is_new,
    known.store_id is not null
      and (known.gone_at is not null or known.record_hash is distinct from f.record_hash) as is_changed,
    ${listOf('f')}
  from stage.store s
  join ops.store_refresh r using (refresh_id)
  cross join lateral jsonb_populate_record(null::catalog.store, s.record) as f
  left join catalog.store known on known.store_id = s.store_id
  where s.refresh_id = $1`;

/** Keeps the previous version of changed stores. A store that was gone has its version in the history already. */
const keepOldVersions = `
  insert into catalog.store_history (store_id, valid_from, valid_to, ${fields.join(', ')})
  select s.store_id, s.valid_from, f.observed_at, ${listOf('s')}
  from found_store f join catalog.store s using (store_id)
  where f.is_changed and s.gone_at is null
  order by s.store_id`;

const renewChanged = `
  update catalog.store s
  set valid_from = f.observed_at, gone_at = null, ${fields.map((field) => `${field} = f.${field}`).join(', ')}
  from found_store f
  where s.store_id = f.store_id and f.is_changed`;

const clearMissed = `
  update catalog.store s set missed_since = null
  from found_store f
  where s.store_id = f.store_id and s.missed_since is not null`;

const insertNew = `
  insert into catalog.store (store_id, first_seen_at, valid_from, ${fields.join(', ')})
  select f.store_id, f.observed_at, f.observed_at, ${listOf('f')}
  from found_store f where f.is_new
  order by f.store_id`;

const insertHours = `
  insert into catalog.store_hours (store_id, valid_from, weekday, opens_minute, closes_minute, printed)
  select f.store_id, f.observed_at, h.weekday, h.opens_minute, h.closes_minute, h.printed
  from found_store f
  cross join lateral jsonb_to_recordset(f.hours)
    as h (weekday smallint, opens_minute int, closes_minute int, printed text)
  where f.is_new or f.is_changed
  order by f.store_id, h.weekday`;

/**
 * Known stores within the searched areas. A store without coordinates counts if the last refresh had the same areas.
 */
const makeExpected = `
  create temporary table expected_store on commit drop as
  select s.store_id, r.observed_at, s.missed_since,
    not exists (select from found_store f where f.store_id = s.store_id) as is_missed
  from catalog.store s
  join ops.store_refresh r on r.refresh_id = $1
  where s.gone_at is null
    and case when s.latitude is null or s.longitude is null
      then r.areas = (select areas from ops.store_refresh where status = 'published' order by refresh_id desc limit 1)
      else exists (
        select from unnest($2::float8[], $3::float8[], $4::float8[], $5::float8[]) as a (south, west, north, east)
        where s.latitude between a.south and a.north and s.longitude between a.west and a.east)
    end`;

const countMissed = `
  select count(*)::int as known,
    count(*) filter (where is_missed)::int as missed,
    count(*) filter (where is_missed and missed_since is null)::int as unexpected
  from expected_store`;

const keepGone = `
  insert into catalog.store_history (store_id, valid_from, valid_to, ${fields.join(', ')})
  select s.store_id, s.valid_from, m.observed_at, ${listOf('s')}
  from expected_store m join catalog.store s using (store_id)
  where m.is_missed and ($1 or m.missed_since is not null)
  order by s.store_id`;

const markGone = `
  update catalog.store s set gone_at = m.observed_at, missed_since = null
  from expected_store m
  where s.store_id = m.store_id and m.is_missed and ($1 or m.missed_since is not null)`;

const markMissed = `
  update catalog.store s set missed_since = m.observed_at
  from expected_store m
  where s.store_id = m.store_id and m.is_missed and m.missed_since is null`;

const finish = `
  update ops.store_refresh
  set status = 'published', finished_at = $2, verdict = $3, reasons = $4, circles = $5,
    stores_seen = $6, stores_new = $7,
    stores_changed = $8, stores_gone = $9, paused_for = null, paused_until = null,
    distance_per_mile = (
      select percentile_disc(0.5) within group (order by (circle ->> 'distancePerMile')::float8)
      from jsonb_array_elements(searched) as circle)
  where refresh_id = $1`;
