import type { Queryable } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';

/** Nights of a region from a date on whose marts have changed. */
interface ChangedNights {
  readonly region: string;
  /** First changed date, YYYY-MM-DD. Later nights count as changed, too, because a change can affect them. */
  readonly from: string;
  readonly at: Date;
}

/**
 * Assigns a new change key to nights, in the transaction that changes their marts. Must be the last statement of the
 * transaction: drawing a key waits until the transaction that drew the previous key has ended, so that a reader who
 * sees a key has seen all smaller ones.
 */
export async function noteNights(tx: Queryable, { region, from, at }: ChangedNights): Promise<void> {
  await holdKeys(tx);
  const changed = await rowsOf<Changed>(
    tx,
    `with drawn as materialized (select nextval('ops.change_seq') as change_seq)
     insert into ops.night_change as kept (region, snapshot_date, change_seq, updated_at, open_seq, open_updated_at)
     select night.region, night.snapshot_date, drawn.change_seq, $3, drawn.change_seq, $3
     from (select distinct region, snapshot_date from ops.published_run where region = $1) as night
     cross join drawn
     where night.snapshot_date >= $2
     ${replaced}`,
    [region, from, at],
  );
  await noteOpen(tx, 'ops', region, changed);
}

interface ChangedDerivedNights {
  readonly region: string;
  /** Dates that were derived. */
  readonly derived: readonly string[];
  /** First date whose derived data was deleted; null if none was. */
  readonly forgottenFrom: string | null;
  readonly at: Date;
}

/** Assigns a new change key to nights whose derived data has changed. */
export async function noteDerivedNights(
  tx: Queryable,
  { region, derived, forgottenFrom, at }: ChangedDerivedNights,
): Promise<void> {
  await holdKeys(tx);
  const changed = await rowsOf<Changed>(
    tx,
    `with drawn as materialized (select nextval('ops.change_seq') as change_seq)
     insert into derived.night_change as kept (region, snapshot_date, change_seq, updated_at, open_seq, open_updated_at)
     select $1, night.snapshot_date, drawn.change_seq, $4, drawn.change_seq, $4
     from (
       select unnest($2::date[]) as snapshot_date
       union
       -- Start at the previous derived night, because its week and month were deleted with the date.
       select snapshot_date from derived.night_change
       where region = $1 and snapshot_date >= coalesce((
         select max(snapshot_date) from derived.night_change
         where region = $1 and snapshot_date <= $3 and snapshot_date > '-infinity'), $3)
       union
       select '-infinity' where $3::date is not null
     ) as night
     cross join drawn
     ${replaced}`,
    [region, derived, forgottenFrom, at],
  );
  await noteOpen(tx, 'derived', region, changed);
}

interface Changed {
  readonly changeSeq: number;
  readonly updatedAt: Date;
  readonly isWrittenAgain: boolean;
}

const replaced = `
  on conflict (region, snapshot_date) do update
    set change_seq = excluded.change_seq, updated_at = excluded.updated_at
  returning change_seq as "changeSeq", updated_at as "updatedAt", change_seq > open_seq as "isWrittenAgain"`;

/** Raises the open key when a night is rewritten, because that can reopen spells that began before it. */
async function noteOpen(
  tx: Queryable,
  schema: 'ops' | 'derived',
  region: string,
  changed: readonly Changed[],
): Promise<void> {
  const again = changed.find(({ isWrittenAgain }) => isWrittenAgain);
  if (!again) return;
  await tx.query(`update ${schema}.night_change set open_seq = $2, open_updated_at = $3 where region = $1`, [
    region,
    again.changeSeq,
    again.updatedAt,
  ]);
}

/** Assigns a new change key to a keyword search whose ranks have changed. */
export async function noteSearch(
  tx: Queryable,
  night: { readonly region: string; readonly keyword: string; readonly snapshotDate: string },
  at: Date,
): Promise<void> {
  await holdKeys(tx);
  await tx.query(
    `update ops.keyword_search set change_seq = nextval('ops.change_seq'), updated_at = $4
     where region = $1 and keyword = $2 and snapshot_date = $3`,
    [night.region, night.keyword, night.snapshotDate, at],
  );
}

/** A separate statement, so that the key is drawn after the previous lock holder has ended. */
async function holdKeys(tx: Queryable): Promise<void> {
  await tx.query('lock table ops.night_change in exclusive mode');
}
