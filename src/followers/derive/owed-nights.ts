import { type RegionCode, regionCodes } from '../../base/model/index.ts';
import type { Queryable } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';
import { certifiedNights } from './certified-nights.ts';
import type { CertifiedNight, NightsToDerive } from './derivation.ts';
import { derivationRules } from './index.ts';

interface OwedNights extends NightsToDerive {
  /** May be empty if data only have to be deleted. */
  readonly nights: readonly CertifiedNight[];
  readonly from: string;
  /** Whether derived data from `from` on are outdated. */
  readonly isStale: boolean;
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
  const nights = await certifiedNights(sql, region);
  const done = await rowsOf<{ runId: number; snapshotDate: string; rules: number }>(
    sql,
    `select run_id as "runId", snapshot_date as "snapshotDate", rules
     from derived.night
     where region = $1
     order by snapshot_date`,
    [region],
  );
  let first = 0;
  while (first < nights.length && first < done.length && isDone(nights[first]!, done[first]!, rules)) first++;
  // If no night follows the deleted ones, the night before them becomes the last and is derived again, because data of
  // the last night (GEKS index of a first window) depend on it.
  if (first === nights.length && first < done.length && first > 0) first--;
  const dates = [nights[first]?.snapshotDate, done[first]?.snapshotDate].filter((date) => date !== undefined);
  const from = dates.sort()[0];
  if (from === undefined) return null;
  return { region, nights: nights.slice(first), before: nights[first - 1] ?? null, from, isStale: first < done.length };
}

/** Higher rules belong to a newer version of the program; otherwise two versions would keep deriving alternately. */
function isDone(
  night: CertifiedNight,
  done: { readonly runId: number; readonly snapshotDate: string; readonly rules: number },
  rules: number,
): boolean {
  return night.runId === done.runId && night.snapshotDate === done.snapshotDate && done.rules >= rules;
}

/** Regions with nights to derive. */
export async function regionsOwed(sql: Queryable): Promise<RegionCode[]> {
  const owed: RegionCode[] = [];
  for (const region of regionCodes) if (await owedNights(sql, region)) owed.push(region);
  return owed;
}

/** Number of nights to derive. */
export async function countNightsOwed(sql: Queryable, region: RegionCode): Promise<number> {
  return (await owedNights(sql, region))?.nights.length ?? 0;
}
