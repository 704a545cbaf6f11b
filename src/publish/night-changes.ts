import { drawChangeSeq } from '../db/change-seq.ts';
import type { Transaction } from '../db/client.ts';
import { rowsOf } from '../db/rows.ts';

/**
 * Assigns a new change key to the nights of a region from a date on, in the transaction that changes their marts. Later
 * nights count as changed, too, because a change can affect them.
 */
export async function noteNights(
  tx: Transaction,
  { region, from, at }: { readonly region: string; readonly from: string; readonly at: Date },
): Promise<void> {
  const nights = await rowsOf<{ date: string }>(
    tx,
    'select distinct snapshot_date as date from ops.published_run where region = $1 and snapshot_date >= $2',
    [region, from],
  );
  await note(tx, 'ops.night_change', { region, nights, at });
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
  tx: Transaction,
  { region, derived, forgottenFrom, at }: ChangedDerivedNights,
): Promise<void> {
  const nights = await rowsOf<{ date: string }>(
    tx,
    `select unnest($2::date[]) as date
     union
     -- Start at the previous derived night, because its week and month were deleted with the date.
     select snapshot_date from derived.night_change
     where region = $1 and snapshot_date >= coalesce((
       select max(snapshot_date) from derived.night_change
       where region = $1 and snapshot_date <= $3 and snapshot_date > '-infinity'), $3)
     union
     select '-infinity' where $3::date is not null`,
    [region, derived, forgottenFrom],
  );
  await note(tx, 'derived.night_change', { region, nights, at });
}

async function note(
  tx: Transaction,
  table: 'ops.night_change' | 'derived.night_change',
  { region, nights, at }: { readonly region: string; readonly nights: readonly { date: string }[]; readonly at: Date },
): Promise<void> {
  if (nights.length === 0) return;
  await tx.query(
    `with reopened as (
       -- Rewriting a night can reopen spells that began before it.
       update ${table}
       set open_seq = $3, open_updated_at = $4
       where region = $1 and snapshot_date <> all ($2::date[])
         and exists (select from ${table} where region = $1 and snapshot_date = any ($2::date[]))
     )
     insert into ${table} (region, snapshot_date, change_seq, updated_at, open_seq, open_updated_at)
     select $1, unnest($2::date[]), $3, $4, $3, $4
     on conflict (region, snapshot_date) do update
     set change_seq = $3, updated_at = $4, open_seq = $3, open_updated_at = $4`,
    [region, nights.map(({ date }) => date), await drawChangeSeq(tx), at],
  );
}
