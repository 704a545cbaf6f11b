import type { RegionCode } from '../../base/model/index.ts';
import type { Queryable } from '../../db/client.ts';
import { camelRows } from '../../db/rows.ts';
import type { CertifiedNight, NightsToDerive } from './derivation.ts';
import { derivationRules } from './index.ts';

interface OwedNights extends NightsToDerive {
  /** May be empty if data only have to be deleted. */
  readonly nights: readonly CertifiedNight[];
  readonly from: string;
  /** Whether derived data from `from` on are outdated. */
  readonly isStale: boolean;
}

/** All certified nights of a region in order. */
export async function certifiedNights(sql: Queryable, region: RegionCode): Promise<CertifiedNight[]> {
  return camelRows<CertifiedNight>(
    sql,
    `select run_id, snapshot_date, observed_at
     from ops.certified_night
     where region = $1
     order by snapshot_date`,
    [region],
  );
}

/**
 * Nights to derive: from the first that is new, crawled again, released or no longer certified, to the last. Null:
 * none.
 */
export async function owedNights(
  sql: Queryable,
  region: RegionCode,
  rules = derivationRules,
): Promise<OwedNights | null> {
  const [found] = await camelRows<Record<'changed' | 'derivedTo', string | null>>(sql, selectChanged, [region, rules]);
  const { changed, derivedTo } = found!;
  if (changed === null) return null;
  const nights = await certifiedNights(sql, region);
  const following = nights.findIndex(({ snapshotDate }) => snapshotDate >= changed);
  // If no night follows the deleted ones, the night before them becomes the last and is derived again, because data of
  // the last night (GEKS index of a first window) depend on it.
  const first = following >= 0 ? following : Math.max(0, nights.length - 1);
  const from = following >= 0 ? changed : (nights[first]?.snapshotDate ?? changed);
  const isStale = derivedTo !== null && derivedTo >= from;
  return { region, nights: nights.slice(first), before: nights[first - 1] ?? null, from, isStale };
}

/** Higher rules belong to a newer version of the program; otherwise two versions would keep deriving alternately. */
const selectChanged = `
  select max(snapshot_date) filter (where done.run_id is not null) as derived_to,
    min(snapshot_date) filter (where night.run_id is distinct from done.run_id or done.rules < $2) as changed
  from (select * from ops.certified_night where region = $1) as night
  full join (select * from derived.night where region = $1) as done using (snapshot_date)`;

/** Number of nights to derive. */
export async function countNightsOwed(sql: Queryable, region: RegionCode): Promise<number> {
  return (await owedNights(sql, region))?.nights.length ?? 0;
}
